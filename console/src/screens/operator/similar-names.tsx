import type { CompanyNameCheck } from '@millseal/contract'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../texts/catalog.ts'
import { Table } from '../../ui/list/table.tsx'
import { Notice } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'

const kinds = { verified: 'good', ended: 'bad', deleted: 'gone' } as const

/** Companies that readers could take this one for; nothing if its name is like no other. */
export const SimilarNames = ({ mixesAlphabets, similar }: CompanyNameCheck) => {
  const t = useTexts('operator').names
  if (!mixesAlphabets && similar.length === 0) return null
  return (
    <Card title={t.title}>
      {mixesAlphabets && <Notice kind="warn">{t.alphabets}</Notice>}
      {similar.length > 0 && (
        <>
          <Notice kind="warn">{t.similar}</Notice>
          <Table
            label={t.title}
            columns={[t.company, t.vatId, t.country, t.state]}
            lines={similar.map(({ id, name, vatId, country, state }) => ({
              id,
              cells: [
                state === 'deleted' ? (
                  name
                ) : (
                  <Link to="/operator/reviews/$company" params={{ company: id }}>
                    {name}
                  </Link>
                ),
                vatId,
                country,
                <State kind={kinds[state]}>{t.states[state]}</State>,
              ],
            }))}
          />
        </>
      )}
    </Card>
  )
}

/** The same in one line, for lists. */
export const NameMark = ({ mixesAlphabets, similar }: CompanyNameCheck) => {
  const t = useTexts('operator').names
  if (similar.length > 0) return <State kind="bad">{t.mark}</State>
  return mixesAlphabets ? <State kind="wait">{t.alphabetsMark}</State> : null
}
