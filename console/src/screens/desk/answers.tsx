import type { InboxEntry } from '@millseal/contract'
import { useTexts } from '../../texts/catalog.ts'
import { useFindingWords } from '../../texts/server-words.ts'
import { State, type StateKind } from '../../ui/state.tsx'

type Props = { readonly entry: InboxEntry }

const bad: readonly string[] = ['altered', 'refused', 'replaced', 'withdrawn', 'revoked']

const kindOf = ({ verdict = 'unchecked', mode }: InboxEntry): StateKind => {
  if (bad.includes(verdict) || (verdict === 'test' && mode === 'live')) return 'bad'
  return verdict === 'genuine' || verdict === 'test' ? 'good' : 'wait'
}

/** The verdict in a word, and the first value that was changed. */
export const Genuine = ({ entry }: Props) => {
  const t = useTexts('desk')
  const { verdict, changed, alarm } = entry
  if (verdict === undefined) return <State kind="wait">{t.waiting}</State>
  const [first] = changed?.values ?? []
  return (
    <span className="outcome">
      <State kind={kindOf(entry)}>{t.verdicts[verdict]}</State>
      {first !== undefined && (
        <span>{t.changedFrom(first.of, first.original ?? t.nothing, first.here ?? t.nothing)}</span>
      )}
      {alarm !== undefined && <b>{t.alarm}</b>}
    </span>
  )
}

const results = { pass: 'good', fail: 'bad', missing: 'wait', unknown: 'wait' } as const

/** The results of the check and of the comparison with the order, with the values that decide them. */
export const Meets = ({ entry: { check, unchecked, order, findings } }: Props) => {
  const t = useTexts('desk')
  const inWords = useFindingWords()
  return (
    <span className="outcome">
      {unchecked !== undefined && <State kind="wait">{t.unchecked[unchecked]}</State>}
      {check !== undefined && <State kind={results[check.verdict]}>{t.met(check.met, check.lines)}</State>}
      {order !== undefined && (
        <State kind={results[order.verdict]}>{t.asOrdered(order.met, order.lines)}</State>
      )}
      {[check?.worst, order?.worst].map(
        (worst, at) =>
          worst?.reason !== undefined && (
            <span key={at}>{inWords({ reason: worst.reason, because: worst.because })}</span>
          ),
      )}
      {findings > 0 && <span>{t.findings(findings)}</span>}
    </span>
  )
}
