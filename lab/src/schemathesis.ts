// Lets schemathesis, which is not ours, judge the API: script/schemathesis.
import { parseArgs } from 'node:util'
import { installSchemathesis } from '../../server/test/schemathesis/install.ts'
import { openJudge } from '../../server/test/schemathesis/judge.ts'
import { isExplained } from '../../server/test/schemathesis/known.ts'
import { makeTemporaryFolder } from '../../server/test/temporary-folder.ts'

const { values } = parseArgs({
  options: {
    examples: { type: 'string', default: '20' },
    seed: { type: 'string', default: '822' },
    quick: { type: 'boolean', default: false },
  },
})
const wholeNumber = (text: string, name: string): number => {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} needs a whole number from 1`)
  return number
}

await using folder = await makeTemporaryFolder()
const program = await installSchemathesis(`${folder.path}/python`)
const startedMs = performance.now()
await using judge = await openJudge({ program, folder: folder.path })
const { requests, judged, accepted, complaints, errors, refused } = await judge.judge({
  seed: wholeNumber(values.seed, 'seed'),
  examples: wholeNumber(values.examples, 'examples'),
  isThorough: !values.quick,
})
const findings = complaints.filter((complaint) => !isExplained(complaint))
for (const { check, operation, status, message, says } of findings)
  process.stdout.write(`${check}: ${operation}: ${status} ${message}\n  ${says.replaceAll('\n', '\n  ')}\n`)
for (const error of errors) process.stdout.write(`error of the judge: ${error}\n`)
if (refused.length > 0) process.stdout.write(`valid examples refused: ${refused.join(', ')}\n`)
const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0)
const refusing = [...judged].filter((operation) => !accepted.has(operation)).toSorted()
process.stdout.write(`never accepted: ${refusing.join(', ')}\n`)
process.stdout.write(
  `${requests} requests in ${seconds} s: ${judged.size} operations, ${accepted.size} accepted; ` +
    `${findings.length} findings, ${complaints.length - findings.length} explained\n`,
)
process.exitCode = findings.length + errors.length + refused.length === 0 ? 0 : 1
