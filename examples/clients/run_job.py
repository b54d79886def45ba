#!/usr/bin/env python3
"""Runs a command as a job of a farm, shows what it printed, and ends as it did:

    python3 run_job.py ./run.sh 17

Ctrl-C cancels the job. The farm is the one at CROFT_SERVER, with its token in CROFT_TOKEN, or else at the socket
CROFT_SOCKET. Python's standard library is all that it needs.
"""

import http.client
import json
import os
import pwd
import signal
import socket
import stat
import sys
import tempfile
import time
import urllib.parse
import uuid

OVER = ("ended", "failed", "cancelled", "lost", "rejected")


class FarmError(Exception):
    """What the farm refused, in its words."""


class SocketConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path):
        super().__init__("croft", timeout=60)
        self.path = path

    def connect(self):
        refuse_strangers(self.path)
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def refuse_strangers(path):
    """Refuses a socket where another user could have put his own: he would be sent all that jobs are given."""
    for place in (os.path.dirname(os.path.abspath(path)), path):
        found = os.lstat(place)
        if found.st_uid not in (0, os.getuid()):
            raise FarmError(f"{place} belongs to another user (number {found.st_uid})")
        if stat.S_ISDIR(found.st_mode) and found.st_mode & 0o022 and not found.st_mode & stat.S_ISVTX:
            raise FarmError(f"others may write to the folder {place}")


def usual_socket():
    """That of the user's own farm or, where there is none, the one that he has of the machine's farm."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    folder = f"{runtime}/croft" if runtime.startswith("/") else f"{tempfile.gettempdir()}/croft-{os.getuid()}"
    own = f"{folder}/croft.sock"
    of_machine = f"/run/croft/users/{pwd.getpwuid(os.getuid()).pw_name}.sock"
    return of_machine if os.path.exists(of_machine) and not os.path.exists(own) else own


def connect():
    server = os.environ.get("CROFT_SERVER")
    if server is None:
        return SocketConnection(os.environ.get("CROFT_SOCKET") or usual_socket())
    url = urllib.parse.urlsplit(server)
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    return kind(url.hostname, url.port, timeout=60)


def ask(method, path, body=None, key=None):
    """The answer's headers and content. Asks again for a minute while the farm is away: the key keeps it one job."""
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if "CROFT_TOKEN" in os.environ:
        headers["Authorization"] = "Bearer " + os.environ["CROFT_TOKEN"]
    if key is not None:
        headers["Idempotency-Key"] = key
    text = None if body is None else json.dumps(body)
    until = time.monotonic() + 60
    while True:
        connection = connect()
        try:
            connection.request(method, path, text, headers)
            answer = connection.getresponse()
            content = answer.read()
            if answer.status == 200:
                return answer.headers, content
            problem = answer.reason
            # A service that stops, a full disk, or a proxy in front of a farm that is away.
            if answer.status not in (502, 503, 504):
                raise FarmError(json.loads(content)["error"])
        except (OSError, http.client.HTTPException) as error:
            problem = error
        finally:
            connection.close()
        if time.monotonic() > until:
            raise FarmError(f"no farm answers: {problem}")
        time.sleep(1)


def submit(command, **asks):
    """Submits a job and returns its number. What it may ask for is in docs/live/rest.md: cores=2, memoryMiB=4096."""
    # The farm sets variables of that name itself.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CROFT_")}
    umask = os.umask(0o077)
    os.umask(umask)
    job = {"command": command, "directory": os.getcwd(), "environment": environment, "umask": f"{umask:03o}", **asks}
    _, content = ask("POST", "/v1/jobs", job, key=str(uuid.uuid4()))
    return json.loads(content)["number"]


def wait(number):
    """Waits until the job is over, and returns all that is known of it."""
    while True:
        _, content = ask("GET", f"/v1/jobs/{number}?wait=30")
        job = json.loads(content)
        if job["state"] in OVER:
            return job


def output(number, stream="stdout"):
    """What the job has printed, part by part."""
    at = 0
    while True:
        headers, content = ask("GET", f"/v1/jobs/{number}/output?stream={stream}&from={at}")
        if not content:
            return
        yield content
        at = int(headers["croft-next-byte"])


def show(parts, shown):
    try:
        for part in parts:
            shown.buffer.write(part)
        shown.flush()
    except BrokenPipeError:
        # Nobody reads on, as with head. Python would say so again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), shown.fileno())


def cancel(number):
    ask("POST", f"/v1/jobs/{number}/cancel")


def status_of(job):
    """As `croft wait` ends: 116 where the farm has ended the job, for its time limit say, whatever status it left."""
    if job["state"] not in ("ended", "failed"):
        return {"cancelled": 113, "rejected": 114, "lost": 115}[job["state"]]
    outcome = job["attempts"][-1]["outcome"]
    is_its_own = outcome["kind"] == "exited" and outcome["cause"] == "itself"
    return job["exitStatus"] if is_its_own else 116


def main():
    number = submit(sys.argv[1:])
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: cancel(number))
    job = wait(number)
    for stream, shown in (("stdout", sys.stdout), ("stderr", sys.stderr)):
        show(output(number, stream), shown)
    if job["reason"]:
        print(f"job {number} is {job['state']}: {job['reason']}", file=sys.stderr)
    return status_of(job)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except FarmError as error:
        print(f"run_job.py: {error}", file=sys.stderr)
        sys.exit(112)
