
# Where the package bash-completion is not installed: the words up to the cursor, joined
# again at = and :, where bash parts them.
__pawl_init_completion() {
    local word last i
    words=("${COMP_WORDS[0]}") cword=0
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]} last=${words[cword]}
        if ((cword > 0)) && [[ -n $last && ($word == [=:]* || $last == *[=:]) ]]; then
            words[cword]+=$word
        else
            words[++cword]=$word
        fi
    done
    cur=${words[cword]} prev=${words[cword - 1]}
}
