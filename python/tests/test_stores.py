"""Databases in S3: on a server of another process, with credentials from the usual places."""

from __future__ import annotations

import http.server
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import boto3
import distributed
import pytest

import richman as rm
from richman import boards

Command = Callable[..., str]

BOARD = "connect:rows=4,cols=5"
SECRET = "a-secret-that-nobody-prints"


class Bucket:
    """A bucket of the server, asked without the library that is tested."""

    def __init__(self, server: str, name: str) -> None:
        key = {"aws_access_key_id": "key", "aws_secret_access_key": SECRET}
        service = boto3.resource("s3", endpoint_url=server, region_name="us-east-1", **key)
        self.server = server
        self.bucket = service.create_bucket(Bucket=name)

    def put(self, name: str, body: bytes) -> None:
        self.bucket.put_object(Key=name, Body=body)

    def delete(self, name: str) -> None:
        self.bucket.Object(name).delete()

    def content(self, prefix: str) -> dict[str, bytes]:
        found = self.bucket.objects.filter(Prefix=f"{prefix}/")
        return {each.key.removeprefix(f"{prefix}/"): each.get()["Body"].read() for each in found}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "log"
    with log.open("w") as out:
        program = [sys.executable, "-m", "moto.server", "-p", str(port)]
        process = subprocess.Popen(program, stdout=out, stderr=out)
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/moto-api/")
                break
            except urllib.error.URLError:
                assert process.poll() is None, log.read_text()
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def bucket(server: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bucket:
    """A bucket `boards`, with credentials in a profile."""
    for name in os.environ:
        if name.startswith("AWS_"):
            monkeypatch.delenv(name)
    profile = tmp_path / "credentials"
    profile.write_text(f"[boards]\naws_access_key_id = key\naws_secret_access_key = {SECRET}\n")
    config = tmp_path / "config"
    config.write_text(f"[profile boards]\nregion = us-east-1\nendpoint_url = {server}\n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(profile))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(config))
    monkeypatch.setenv("AWS_PROFILE", "boards")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    return Bucket(server, "boards")


@pytest.fixture
def client(bucket: Bucket) -> Iterator[Any]:
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            resources={boards.MEMORY: 1e9},
            memory_limit=None,
            dashboard_address=":0",
            silence_logs=50,
        ) as local,
        distributed.Client(local) as client,
    ):
        yield client


def content(folder: Path) -> dict[str, bytes]:
    found = {path.name: path.read_bytes() for path in folder.iterdir()}
    del found["database.lock"]
    return found


def test_a_database_in_a_bucket_is_that_in_a_folder(
    bucket: Bucket, client: Any, command: Command, tmp_path: Path
) -> None:
    folder, place = tmp_path / "database", "s3://boards/connect/4x5"
    command("build", BOARD, "--out", str(folder))
    right = content(folder)
    started = time.perf_counter()
    found = boards.solve(BOARD, store=place, client=client)
    print(f"{BOARD} through S3: {time.perf_counter() - started:.1f} s")
    assert (found.computed, found.again) == (found.units, ())
    assert bucket.content("connect/4x5") == right
    # Whoever goes on computes nothing, or what is damaged or missing.
    again = boards.solve(BOARD, store=place, client=client)
    assert again == found._replace(computed=0)
    changed = bytearray(right["unit-1.1.1.1.1.0.rmu"])
    changed[-1] ^= 1
    bucket.put("connect/4x5/unit-1.1.1.1.1.0.rmu", bytes(changed))
    bucket.delete("connect/4x5/unit-1.1.0.1.1.0.rmu")
    mended = boards.solve(BOARD, store=place, client=client)
    assert sorted(mended.again) == ["unit-1.1.0.1.1.0.rmu", "unit-1.1.1.1.1.0.rmu"]
    assert bucket.content("connect/4x5") == right
    # The command reads it, and builds there, too.
    assert rm.solve(BOARD, db=place).win == rm.solve(BOARD, db=folder).win
    here = command("solve", BOARD, "--json", "--db", str(folder)).replace(str(folder), place)
    assert command("solve", BOARD, "--json", "--db", place) == here
    assert command("verify", place) == f"valid: every number of the database in {place}\n"
    assert rm.verify(place).valid
    command("build", BOARD, "--out", "s3://boards/built")
    assert bucket.content("built") == right


def test_two_layers_stay_in_a_bucket(
    bucket: Bucket, client: Any, command: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "database"
    command("build", BOARD, "--keep", "two-layers", "--out", str(folder))
    for place in ["s3://boards/few", "s3://boards/less"]:
        if place.endswith("few"):
            found = boards.solve(BOARD, store=place, client=client, keep="two-layers")
            assert (found.computed, found.again) == (found.units, ())
        else:
            command("build", BOARD, "--keep", "two-layers", "--out", place)
        assert bucket.content(place.rpartition("/")[2]) == content(folder)
        assert rm.solve(BOARD, db=place).win == rm.solve(BOARD).win


def test_what_cannot_be_done_is_said_before_any_work(
    bucket: Bucket, client: Any, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[Any] = []

    def refused(place: str) -> str:
        with pytest.raises(rm.Error) as error:
            boards.solve(
                BOARD, store=place, client=client, progress=lambda *told: heard.append(told)
            )
        assert SECRET not in str(error.value)
        told = command("build", BOARD, "--out", place, status=2)
        assert SECRET not in told
        return f"{error.value} {told}"

    assert "NoSuchBucket" in refused("s3://nobody/boards")
    assert "write a bucket and a prefix" in refused("s3://")
    assert "is not a database" in command("verify", "s3://boards/none", status=2)
    for name in ["AWS_PROFILE", "AWS_SHARED_CREDENTIALS_FILE"]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_ENDPOINT_URL", bucket.server)
    assert "credentials" in refused("s3://boards/new")
    assert heard == []


def with_token(monkeypatch: pytest.MonkeyPatch, endpoint: str) -> None:
    """Credentials with a token, for this service."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "another secret")
    monkeypatch.setenv("AWS_SESSION_TOKEN", SECRET)


def test_a_token_is_sent_to_the_service_alone(
    monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    asked: list[str] = []

    class Elsewhere(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.headers["Host"])
            self.send_response(307)
            self.send_header("Location", f"http://127.0.0.2:{both.server_port}/")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("0.0.0.0", 0), Elsewhere) as both:
        threading.Thread(target=both.serve_forever, daemon=True).start()
        address = f"127.0.0.1:{both.server_port}"
        with_token(monkeypatch, f"http://{address}")
        told = command("verify", "s3://boards/none", status=2)
        both.shutdown()
    assert "307" in told and asked == [address]


def test_a_password_in_an_endpoint_is_not_printed(
    monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    with_token(monkeypatch, f"http://somebody:{SECRET}@127.0.0.1:1")
    told = command("verify", "s3://boards/none", status=2)
    assert "the endpoint has a name or a password in it" in told and SECRET not in told


def test_an_answer_with_a_token_is_not_printed(
    monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """The service may repeat what was sent to it."""

    class Echo(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            token = self.headers["x-amz-security-token"]
            answer = (
                "<Error><Code>ExpiredToken</Code><Message>The token has expired.</Message>"
                f"<Token-0>{token}</Token-0></Error>"
            ).encode()
            self.send_response(400)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with_token(monkeypatch, f"http://127.0.0.1:{server.server_port}")
        told = command("verify", "s3://boards/none", status=2)
        server.shutdown()
    assert told.strip().endswith("ExpiredToken: The token has expired.")
    assert SECRET not in told
