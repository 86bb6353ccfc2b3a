# Sourced by the scripts of this folder.

export CI=true CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0 RUST_BACKTRACE=1
export SAM_CLI_TELEMETRY=0 WRANGLER_SEND_METRICS=false AWS_DEFAULT_REGION=eu-central-1

tools="$PWD/target/ci"
mkdir -p "$tools"

# step NAME COMMAND…: runs it without standard input and says how long it took; a failure ends the run.
step() {
    local name=$1 start=$SECONDS
    shift
    echo "== $name"
    "$@" </dev/null
    echo "== $name: $((SECONDS - start)) s"
}

fail() {
    echo "error: $*" >&2
    exit 1
}

# A port that was free a moment ago.
free_port() {
    node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); });'
}

# wait_for SECONDS PID LOG COMMAND…: until the command succeeds; fails with the log when the process dies or time is up.
wait_for() {
    local deadline=$((SECONDS + $1)) pid=$2 log=$3
    shift 3
    until "$@" >/dev/null 2>&1; do
        if ! kill -0 "$pid" 2>/dev/null || ((SECONDS >= deadline)); then
            cat "$log" >&2
            fail "not ready: $*"
        fi
        sleep 0.2
    done
}

# stop PID: asks, waits up to ten seconds, then insists.
stop() {
    kill "$1" 2>/dev/null || return 0
    for _ in $(seq 50); do
        kill -0 "$1" 2>/dev/null || return 0
        sleep 0.2
    done
    kill -9 "$1" 2>/dev/null || true
}
