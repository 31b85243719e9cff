#!/usr/bin/env python3
"""official.py OMPHALOS PROFILE: the same beginning by the protocol's own client (PyPI's `mcp`)."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main(omphalos, profile):
    server = StdioServerParameters(command=omphalos, args=["mcp"])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = [tool.name for tool in (await session.list_tools()).tools]
        assert "digest" in tools and len(tools) <= 8, tools
        answer = await session.call_tool("digest", {"profile": profile})
        assert json.loads(answer.content[0].text)["ruled_out"], answer
        answer = await session.call_tool("digest", {"profile": "/nonexistent"})
        assert "no such file" in answer.content[0].text, answer
        resources = (await session.list_resources()).resources
        guide = await session.read_resource(resources[0].uri)
        assert "digest" in guide.contents[0].text, guide
    print("good")


asyncio.run(main(*sys.argv[1:]))
