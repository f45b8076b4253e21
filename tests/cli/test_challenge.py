from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from samedrop_cli.exits import Exit
from samedrop_cli.main import main
from tests.e2e.support import served


async def test_new_show_and_close(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SAMEDROP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    async with served(tmp_path) as server:

        async def samedrop(*words: str, name: str) -> tuple[int, list[str], str]:
            capsys.readouterr()
            code = await asyncio.to_thread(main, ["challenge", *words, "--server", server.url, "--name", name])
            printed = capsys.readouterr()
            return code, [line for line in printed.out.splitlines() if not line.startswith("20")], printed.err

        code, lines, _ = await samedrop("new", "--option", "start_rows=2", "--title", "Beat me", name="ann")
        assert code == Exit.OK
        assert lines[0].startswith("Challenge ")
        assert "'Beat me' by ann: drop7 1, deal" in lines[0]
        assert lines[1].startswith("Open until ")
        assert lines[-1] == "No runs."
        challenge = lines[0].split()[1]
        assert (await samedrop("show", challenge.lower(), name="bob"))[1] == lines
        code, _, complaint = await samedrop("close", challenge, name="bob")
        assert code == Exit.NO
        assert "Only who made" in complaint
        code, lines, _ = await samedrop("close", challenge, name="ann")
        assert code == Exit.OK
        assert lines[1].startswith("Closed since ")
        assert (await samedrop("show", "NOSUCH", name="bob"))[0] == Exit.NO
