import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { collectCosignatures, parseCosignerKey, splitNote } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { holding, lines, logOf, at, certificate, type Line } from '../test/held.ts'
import { type Source, startSource } from '../test/source.ts'
import type { NodeFiles } from './files.ts'
import type { LogNode } from './node.ts'

const origin = 'mill.example/ledger/test'

class Killed extends Error {}

/** The process ends at this write: before it, or with a part of its files. */
const killedAt = (write: number, { isPartial }: { readonly isPartial: boolean }) => {
  let count = 0
  const wrap = (files: NodeFiles): NodeFiles => ({
    ...files,
    async write(all) {
      count += 1
      if (count < write) return await files.write(all)
      if (count === write && isPartial) await files.write(all.slice(0, Math.ceil(all.length / 2)))
      throw new Killed()
    },
    within: (folder) => wrap(files.within(folder)),
  })
  return { wrap, wasKilled: () => count >= write }
}

/** A log that grows, and at last forks. */
const steps: readonly (readonly Line[])[] = [
  lines(3),
  lines(3 + 254),
  lines(260),
  [...lines(259), [certificate(9_999), at(3)]],
]

describe('a node that is killed at a write', () => {
  test('has never signed two histories, and never knows less than before, whichever write it is', async () => {
    await using source = await startSource(origin)
    let writes = 1
    for (let wasKilled = true; wasKilled; writes += 1)
      for (const isPartial of [false, true]) {
        await using folder = await holding(source)
        const kill = killedAt(writes, { isPartial })
        const signed = new Set<string>()
        for (const [step, all] of steps.entries()) {
          await source.serve(all)
          const isFork = step === steps.length - 1
          const isKept = await offer({ source, all, open: () => open(folder.open, kill), signed })
          // It starts again, and the log offers the same again.
          if (!isFork && !isKept) assert.ok(await offer({ source, all, open: folder.open, signed }))
        }
        wasKilled = kill.wasKilled()
        const node = await folder.open()
        await logOf(node).poll()
        const { stopped, seen, published } = logOf(node).state
        assert.match(stopped ?? '', /two different trees of 260 entries/)
        assert.deepEqual([seen?.size, published?.size], [260, 260])
        assert.deepEqual(
          [...signed].map((text) => Number(text.split('\n')[1])),
          [3, 257, 260],
        )
      }
    assert.ok(writes > 9, `${writes} writes`)
  })
})

/** Or the next process, if this one is killed while it starts. */
const open = async (
  start: (wrap?: (files: NodeFiles) => NodeFiles) => Promise<LogNode>,
  kill: ReturnType<typeof killedAt>,
): Promise<LogNode> => {
  if (kill.wasKilled()) return await start()
  return await start(kill.wrap).catch((error: unknown) => {
    if (error instanceof Killed) return start()
    throw error
  })
}

/** Whether the node has signed these entries with both keys. */
const offer = async ({
  source,
  all,
  open: start,
  signed,
}: {
  readonly source: Source
  readonly all: readonly Line[]
  readonly open: () => Promise<LogNode>
  /** The texts that either key has signed. */
  readonly signed: Set<string>
}): Promise<boolean> => {
  const node = await start()
  const before = logOf(node).state
  const request = await source.request(before.seen?.size ?? 0, all)
  const answer = await node.addCheckpoint(request).catch((error: unknown) => {
    if (error instanceof Killed) return undefined
    throw error
  })
  await logOf(node).poll()
  const after = logOf(node).state
  for (const name of ['seen', 'published'] as const)
    assert.ok((after[name]?.size ?? 0) >= (before[name]?.size ?? 0))
  const { text } = splitNote(request.slice(request.indexOf('\n\n') + 2))
  const keys = [node.keys.witness, node.keys.node].map(({ vkey }) => parseCosignerKey(vkey, nodePrimitives))
  const found = collectCosignatures({ text, lines: (answer?.text ?? '').split('\n') }, keys, nodePrimitives)
  if (found.length > 0) signed.add(text)
  return found.length === keys.length
}
