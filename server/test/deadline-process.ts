import { deadlineSignal } from '../src/lib/deadline.ts'

/** Makes one request with a deadline when told to, and says what became of it. Run by `deadline.process.test.ts`. */
const [, , url = '', ms = ''] = process.argv
await (await fetch(`${url}/warm`)).text()
process.once('message', () => void ask())
process.send?.('ready')

const ask = async (): Promise<void> => {
  const outcome = await fetch(url, { signal: deadlineSignal(Number(ms)) })
    .then((response) => response.text())
    .catch((error: unknown) => (error instanceof Error ? error.name : String(error)))
  process.send?.(outcome, () => process.disconnect())
}
