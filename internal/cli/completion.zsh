#compdef pawl
# zsh completion for pawl
_pawl() {
    local line text says
    local -a all
    for line in ${(f)"$(${words[1]} complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"}; do
        text=${line%%$'\t'*}
        if [[ $text == :files ]]; then
            compset -P '*='
            _files
            return
        fi
        says=${line#*$'\t'}
        all+=("${text//:/\\:}:$says")
    done
    ((${#all})) && _describe -V pawl all
}
if [[ ${funcstack[1]} == _pawl ]]; then
    _pawl "$@"
else
    compdef _pawl pawl
fi
