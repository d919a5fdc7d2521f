import type { Certificate } from '@millseal/contract'
import { useQuery } from '@tanstack/react-query'
import { useHere } from '../../../shell/here.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { useFormats } from '../../../texts/format.ts'
import { Notice, Problem } from '../../../ui/problem.tsx'
import { deliveriesQuery, lifeQuery } from './queries.ts'
import { useSteps } from './use-steps.ts'

/** The steps that happened, and those still to come. */
export const Life = ({ certificate: { id } }: { readonly certificate: Certificate }) => {
  const t = useTexts('certificates')
  const { company, may } = useHere()
  const { time } = useFormats()
  const { data: life, error, refetch } = useQuery(lifeQuery({ company, id }))
  const { data: deliveries = [] } = useQuery({
    ...deliveriesQuery({ company, id }),
    enabled: may('listEvents'),
  })
  const stepsOf = useSteps()
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (life === undefined) return null
  return (
    <>
      <ol className="life" aria-live="polite">
        {stepsOf(life, deliveries).map(({ key, kind, title, text, at }) => (
          <li key={key} data-kind={kind}>
            <span>
              {title}
              {text !== undefined && <span className="muted">{text}</span>}
            </span>
            <span className="muted">
              {at === undefined ? kind === 'soon' && t.lifeSteps.waiting : time(at)}
            </span>
          </li>
        ))}
      </ol>
      {life.failed !== undefined && <Notice kind="warn">{t.provesFailed}</Notice>}
    </>
  )
}
