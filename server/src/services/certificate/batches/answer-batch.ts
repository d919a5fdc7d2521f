import { errorBody, toProblem } from '../../../http/error-response.ts'
import type { Content } from '../../../http/binding.ts'
import type { Clock } from '../../../ports/clock/clock.ts'

/** As many as of a crowd of requests. */
const atOnce = 8

type Answering<Item extends { readonly name?: string }, Answer> = {
  readonly items: readonly Item[]
  readonly work: (item: Item) => Promise<Answer>
  /** The status of a good answer. */
  readonly status: 200 | 201
  readonly calledAs: string
  readonly clock: Clock
  /** For faults of which no client hears. */
  readonly onFault: (cause: unknown) => void
  readonly signal: AbortSignal
}

/** A line for each item, in their order, then one that says that this is all. */
export const answerBatch = <Item extends { readonly name?: string }, Answer>(
  answering: Answering<Item, Answer>,
): Content => ({
  type: 'application/x-ndjson',
  bytes: linesOf(answering),
})

const linesOf = async function* <Item extends { readonly name?: string }, Answer>(
  answering: Answering<Item, Answer>,
): AsyncGenerator<string> {
  const { items, signal } = answering
  const waiting: Promise<{ readonly item: number; readonly status: number }>[] = []
  let begun = 0
  let failed = 0
  for (let done = 0; done < items.length; done += 1) {
    while (begun < items.length && waiting.length < atOnce) {
      const item = items[begun]
      begun += 1
      if (item !== undefined) waiting.push(lineOf(answering, item, begun))
    }
    const line = await waiting.shift()
    signal.throwIfAborted()
    if (line === undefined) break
    if (line.status >= 400) failed += 1
    yield `${JSON.stringify(line)}\n`
  }
  yield `${JSON.stringify({ end: true, items: items.length, failed })}\n`
}

/** Never rejects. */
const lineOf = async <Item extends { readonly name?: string }, Answer>(
  { work, status, calledAs, clock, onFault }: Answering<Item, Answer>,
  of: Item,
  item: number,
) => {
  const { name } = of
  try {
    return { item, name, status, answer: await work(of) }
  } catch (error) {
    const problem = toProblem(error)
    if (problem.code === 'internal') onFault(problem.cause)
    const body = errorBody(problem, { method: 'POST', url: calledAs, nowMs: clock.now() })
    return { item, name, status: body.statusCode, code: problem.code, error: body }
  }
}
