# bash completion for pawl
_pawl() {
    local IFS=$'\n' word current="" i line text found
    local -a words=()
    # Bash parts words at = and : too; they belong together.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((${#words[@]} > 0)) && [[ $word == [=:]* || ${words[${#words[@]} - 1]} == *[=:] ]] && [[ ${words[${#words[@]} - 1]} != "" ]]; then
            words[${#words[@]}-1]+=$word
        else
            words+=("$word")
        fi
    done
    ((${#words[@]} > 0)) && current=${words[${#words[@]} - 1]}
    local parted=${current%"${current##*[=:]}"} # what bash has put behind it already
    COMPREPLY=()
    while IFS= read -r line; do
        text=${line%%$'\t'*}
        if [[ $text == :files ]]; then
            found=${current#"$parted"}
            compopt -o filenames 2>/dev/null
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$found")
            return
        fi
        COMPREPLY+=("${text#"$parted"}")
    done < <("${COMP_WORDS[0]}" complete -- "${words[@]}" 2>/dev/null)
}
complete -F _pawl pawl
