import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createPdfRenderer, type PdfRendererOptions } from './renderer.ts'
import { PdfError, type PdfRequest } from './request.ts'
import { sampleRequest } from './testing/document.ts'

const soon = () => AbortSignal.timeout(60_000)
const mebibyte = 1_024 * 1_024

const withLayout = (source: string): PdfRequest => ({ ...sampleRequest(), layout: { source } })
const endless = withLayout(
  '#let layout(data) = { let n = 0; for i in range(9999999) { for j in range(9999999) { n += 1 } }; [#n] }',
)
const insatiable = withLayout(
  '#let layout(data) = { let all = (); for i in range(9000) { all.push(range(200000)) }; [#all.len()] }',
)

const failsWith = (failure: string) => (error: unknown) =>
  error instanceof PdfError && error.failure === failure

const openLogged = (options: Omit<PdfRendererOptions, 'log'>) => {
  const warnings: object[] = []
  return {
    renderer: createPdfRenderer({ ...options, log: { warn: (fields) => warnings.push(fields) } }),
    warnings,
  }
}

test('a document that never ends fails at its deadline, and the next one is rendered', async () => {
  const { renderer, warnings } = openLogged({ workers: 1, deadlineMs: 3_000 })
  await using _closing = renderer
  const next = renderer.check.bind(renderer)
  const failing = assert.rejects(renderer.render(endless, soon()), failsWith('timed_out'))
  const waiting = next(soon())
  await failing
  await waiting
  assert.deepEqual(warnings, [{ failure: 'timed_out', reason: 'The PDF took longer than 3000 ms' }])
})

test('a document that uses too much memory fails alone', async () => {
  const { renderer, warnings } = openLogged({ workers: 2, maxResidentBytes: 300 * mebibyte })
  await using _closing = renderer
  const failing = assert.rejects(renderer.render(insatiable, soon()), failsWith('crashed'))
  await Promise.all([1, 2, 3].map(() => renderer.render(sampleRequest(), soon())))
  await failing
  await renderer.check(soon())
  assert.equal(warnings.length, 1)
})

test('a process that has grown is replaced between two documents', async (t) => {
  if (process.platform !== 'linux') return t.skip('only Linux lists the children of a process')
  const processesAfterTwo = async (maxResidentBytes: number): Promise<Set<string>> => {
    const { renderer, warnings } = openLogged({ workers: 1, maxResidentBytes })
    await using _closing = renderer
    const processes = new Set<string>()
    const documents: Uint8Array[] = []
    for (let count = 0; count < 2; count += 1) {
      const rendering = renderer.render(sampleRequest(), soon())
      for (const child of await childrenOf(process)) processes.add(child)
      documents.push(await rendering)
    }
    assert.deepEqual(documents[1], documents[0])
    assert.deepEqual(warnings, [])
    return processes
  }
  assert.equal((await processesAfterTwo(400 * mebibyte)).size, 1)
  assert.equal((await processesAfterTwo(100 * mebibyte)).size, 2)
})

test('a document is rejected if too many are waiting', async () => {
  const { renderer } = openLogged({ workers: 1, maxWaiting: 2 })
  await using _closing = renderer
  const accepted = [1, 2, 3].map(() => renderer.render(sampleRequest(), soon()))
  await assert.rejects(renderer.render(sampleRequest(), soon()), failsWith('busy'))
  await Promise.all(accepted)
})

test('a caller that aborts does not wait for the document', async () => {
  const { renderer } = openLogged({ workers: 1, deadlineMs: 5_000 })
  await using _closing = renderer
  const given = [endless, sampleRequest()].map((request) => {
    const controller = new AbortController()
    return {
      controller,
      outcome: renderer.render(request, controller.signal).catch((error: unknown) => error),
    }
  })
  for (const { controller } of given) controller.abort(new Error('not wanted'))
  for (const { outcome } of given) assert.match(String(await outcome), /not wanted/)
})

test('closing ends running and waiting documents', async () => {
  const { renderer } = openLogged({ workers: 1 })
  const running = renderer.render(endless, soon()).catch((error: unknown) => error)
  const waiting = renderer.render(sampleRequest(), soon()).catch((error: unknown) => error)
  await renderer[Symbol.asyncDispose]()
  assert.ok(failsWith('crashed')(await running))
  assert.ok(failsWith('busy')(await waiting))
  await assert.rejects(renderer.render(sampleRequest(), soon()), failsWith('busy'))
})

test('a process ends with the server that started it, even while rendering', async (t) => {
  if (process.platform !== 'linux') return t.skip('only Linux lists the children of a process')
  const server = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { createPdfRenderer } from './renderer.ts'
       import { sampleRequest, silentLog } from './testing/document.ts'
       const renderer = createPdfRenderer({ workers: 1, log: silentLog })
       const layout = ${JSON.stringify(endless.layout)}
       await renderer.render(sampleRequest(), AbortSignal.timeout(60000))
       process.stdout.write('busy')
       await renderer.render({ ...sampleRequest(), layout }, AbortSignal.timeout(60000))`,
    ],
    { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  try {
    await once(server.stdout, 'data')
    const [child] = await childrenOf(server)
    assert.ok(child !== undefined)
    server.kill('SIGKILL')
    for (let tries = 0; existsSync(`/proc/${child}`) && tries < 200; tries += 1) await setTimeout(50)
    assert.ok(!existsSync(`/proc/${child}`))
  } finally {
    server.kill('SIGKILL')
  }
})

const childrenOf = async ({ pid }: Pick<ChildProcess, 'pid'>): Promise<string[]> => {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return listed.split(' ').filter((child) => child !== '')
}
