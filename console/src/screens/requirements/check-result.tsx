import type { CertificateCheck } from '@millseal/contract'
import { checkResults } from '@millseal/contract/vocabulary'
import { useTexts } from '../../texts/catalog.ts'
import { useFindingWords } from '../../texts/server-words.ts'
import { FindingSentences } from '../../ui/finding-sentences.tsx'
import { Table } from '../../ui/list/table.tsx'
import { Fold } from '../../ui/screen.tsx'
import { State, type StateKind } from '../../ui/state.tsx'

type Verdict = CertificateCheck['verdict']

const kinds: Readonly<Record<Verdict, StateKind>> = {
  pass: 'good',
  fail: 'bad',
  missing: 'wait',
  unknown: 'wait',
}

export const VerdictState = ({ verdict }: { readonly verdict: Verdict }) => (
  <State kind={kinds[verdict]}>{useTexts('requirements').verdicts[verdict]}</State>
)

/** A sentence for each limit that is not met, and all limits. */
export const CheckResult = ({
  check,
}: {
  readonly check: Omit<CertificateCheck, 'verdict' | 'certificate'>
}) => {
  const t = useTexts('requirements')
  const inWords = useFindingWords()
  const lines = check.lines.toSorted(
    (a, b) => checkResults.indexOf(a.result) - checkResults.indexOf(b.result),
  )
  return (
    <>
      <ul className="findings">
        {lines.map(({ result, reason, because, of, limit = '' }, at) =>
          result === 'pass' ? null : (
            <li key={at}>
              <State kind={kinds[result]}>{t.results[result]}</State>{' '}
              {reason === undefined ? `${of} ${limit}` : inWords({ reason, because })}
            </li>
          ),
        )}
      </ul>
      {check.findings.length > 0 && (
        <>
          <p>{t.findings}</p>
          <FindingSentences findings={check.findings} />
        </>
      )}
      <Fold title={t.allLimits(lines.length)}>
        <AllLines name={check.requirement?.name ?? t.order} lines={lines} />
      </Fold>
    </>
  )
}

/** Each limit and each heat: what is printed, what was compared, and whether it is met. */
const AllLines = ({ name, lines }: { readonly name: string; readonly lines: CertificateCheck['lines'] }) => {
  const t = useTexts('requirements')
  return (
    <Table
      label={t.checkOf(name)}
      columns={[t.columns.of, t.result, t.heat, t.printed, t.compared, t.limit]}
      lines={lines.map(({ of, result, heat = '–', printed = '–', compared = '–', limit = '–' }, at) => ({
        id: String(at),
        cells: [
          <b>{of}</b>,
          <State kind={kinds[result]}>{t.results[result]}</State>,
          heat,
          printed,
          compared,
          limit,
        ],
      }))}
    />
  )
}
