# Helpers for the experiments of README.md. Source it (bash or zsh) in the folder in which `cargo run` was started:
#   . docs/try.sh
# Needs curl and node. Each helper prints what the API answered, or one field of it.

# json EXPRESSION: of the JSON on standard input, called `it`; nothing for what is not there.
json() {
    node -e 'const it = JSON.parse(require("fs").readFileSync(0, "utf8")); console.log(eval(process.argv[1]) ?? "")' "$1"
}

READY=${READY:-.onsale/ready.json}
EDGE=$(json it.edge <"$READY")
EVENT=$(json it.event <"$READY")
LINE="$EDGE/v1/events/$EVENT"

# sign_in NAME: the account token of a fan of that name.
sign_in() {
    curl -s "$EDGE/v1/dev/sign-in" -H 'Content-Type: application/json' -d "{\"name\":\"$1\"}" | json it.token
}

# join_line ACCOUNT_TOKEN: joins the line, or finds the place again.
join_line() {
    curl -s -X POST "$LINE/line" -H "X-Account-Token: $1"
}

# turn ACCOUNT_TOKEN: joins, waits for number and turn, claims it: the access token.
turn() {
    local place access
    while :; do
        place=$(join_line "$1" | json it.token)
        access=$(curl -s -X POST "$LINE/admission" -H "X-Place-Token: $place" | json it.token)
        [ -n "$access" ] && break
        sleep 1
    done
    echo "$access"
}

# hold ACCESS_TOKEN SEAT: asks for one seat: status and answer.
hold() {
    curl -s -w ' %{http_code}\n' -X POST "$LINE/holds" -H "X-Access-Token: $1" -H "Idempotency-Key: try-$RANDOM-$RANDOM" \
        -H 'Content-Type: application/json' -d "{\"seats\":[\"$2\"]}"
}

# clock: phase, admitted places and event time, as the status file says.
clock() {
    curl -s "$LINE/status.json" | json '`${it.phase}, admitted ${it.admitted}, event time ${it.clock[1]}`'
}
