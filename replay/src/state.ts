import { equalBytes, timeOfStateLeaf, type TreeHead, writeStateLeaf } from '@millseal/proof'
import { LogRefused } from './log-refused.ts'
import { assertTimeFollows } from './rules.ts'

/** The time of a state leaf. Throws `LogRefused` or `NoteRefused` unless it says what the entries before it say. */
export const readAllowedState = (
  leaf: Uint8Array,
  {
    operator,
    newest,
    status,
  }: { readonly operator: string | undefined; readonly newest: string; readonly status: TreeHead },
): string => {
  const time = timeOfStateLeaf(leaf)
  assertTimeFollows(time, newest)
  const expected = operator === undefined ? undefined : writeStateLeaf({ time, operator, status })
  if (expected === undefined || !equalBytes(leaf, expected))
    throw new LogRefused('it is a state leaf that says something else than the entries before it')
  return time
}
