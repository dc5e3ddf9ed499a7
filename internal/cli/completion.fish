# fish completion for pawl
function __pawl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (command $words[1] complete -- $words[2..] "$current" 2>/dev/null)
        if string match -q -- ':files*' $line
            __fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current")
        else
            echo $line
        end
    end
end
complete -c pawl -f -a '(__pawl_complete)'
