import asyncio

from called import COUNT, work


async def step():
    await asyncio.sleep(0.001)
    return work(COUNT)  # region


async def main():
    await asyncio.gather(*(step() for _ in range(3)))
    await step()


asyncio.run(main())
