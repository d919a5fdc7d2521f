import { inGroups } from '../../../lib/in-groups.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { type Completed, completeNotarizations } from './complete-notarizations.ts'
import { type AwaitedEntry, awaitEntries, type NewPdf, storePdfs } from './progress.store.ts'

/** The steps of a notarization that notarizations do together if they come at the same time. */
export type GroupedSteps = {
  /** False if another run stored a PDF first. */
  storePdf(pdf: NewPdf): Promise<boolean>
  complete(completed: Completed): Promise<void>
  /** Leaves it to wait until a quorum has confirmed its entry. */
  awaitEntry(awaited: AwaitedEntry): Promise<void>
}

const alone = { ifItFails: 'try each alone' } as const

/**
 * Renderings end one after the other. Notarizations that wait for each other here also do all later steps together, mails
 * and events too: that saves an eighth of the work at half the highest rate.
 */
const spacingMs = 100

export const groupSteps = (
  deps: CertificateDependencies,
  countRunning: () => number,
  /** Called when notarizations wait for a quorum. */
  onAwaiting: () => void = () => {},
): GroupedSteps => ({
  storePdf: inGroups(
    async (pdfs: readonly NewPdf[]) => {
      const first = firstOfEach(pdfs, ({ id }) => id)
      const isStored = await storePdfs(deps.database.query, [...first], new Date(deps.clock.now()))
      return pdfs.map((pdf) => first.has(pdf) && isStored.has(pdf.id))
    },
    { ...alone, spacing: { ms: spacingMs, expected: countRunning } },
  ),
  awaitEntry: inGroups(async (awaited: readonly AwaitedEntry[]) => {
    await awaitEntries(
      deps.database.query,
      [...firstOfEach(awaited, ({ id }) => id)],
      new Date(deps.clock.now()),
    )
    // The quorum may have come before.
    onAwaiting()
    return awaited.map(() => undefined)
  }, alone),
  complete: inGroups(async (completed: readonly Completed[]) => {
    await completeNotarizations(deps, [...firstOfEach(completed, ({ running }) => running.id)])
    return completed.map(() => undefined)
  }, alone),
})

/** Two runs of one certificate can be in the same group if its lease ended: the second must have no effect. */
const firstOfEach = <Item>(items: readonly Item[], idOf: (item: Item) => string): ReadonlySet<Item> => {
  const seen = new Set<string>()
  return new Set(items.filter((item) => seen.size < seen.add(idOf(item)).size))
}
