import type { Certificate } from '@millseal/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Paper } from '../../ui/paper.tsx'
import { Notice, Problem } from '../../ui/problem.tsx'
import { Card, Loading } from '../../ui/screen.tsx'
import { Findings } from '../certificates/new/findings.tsx'
import { jsonQuery } from '../certificates/one/queries.ts'
import { type Check, checkQuery, pageQuery } from '../form/check.ts'
import type { Draft } from '../form/drafts.ts'
import { Act } from './act.tsx'
import { Differences } from './differences.tsx'

/** Both certificates as their readers see them, what differs, and the act. */
export const Review = ({
  company,
  former,
  next: { version, text },
  draft,
}: {
  readonly company: string
  readonly former: Certificate
  /** The new certificate, as it will be sent. */
  readonly next: { readonly version: string; readonly text: string }
  readonly draft: Draft | undefined
}) => {
  const t = useTexts('replace')
  const { may } = useHere()
  const check = useQuery(checkQuery({ draft: version, revision: 0, company, text: () => text }))
  const queries = useQueryClient()
  const { data: formerText } = useQuery({
    queryKey: ['certificate', company, former.id, 'text'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () =>
      (await (await queries.fetchQuery(jsonQuery({ company, id: former.id })))?.text()) ?? null,
  })
  if (check.error !== null) return <Problem error={check.error} onRetry={() => void check.refetch()} />
  if (check.data === undefined || formerText === undefined) return <Loading />
  return (
    <>
      {formerText === null && <Notice kind="warn">{t.erased}</Notice>}
      <div className="pages">
        {formerText !== null && (
          <Page name={t.former} check={{ ...check.data, isValid: true, text: formerText }} />
        )}
        <Page name={t.next} check={check.data} />
      </div>
      {formerText !== null && <Differences former={formerText} next={text} />}
      {check.data.isValid ? (
        may('notarizeCertificate') && <Act {...{ company, former, draft }} check={check.data} />
      ) : (
        <Invalid check={check.data} draft={draft} />
      )}
    </>
  )
}

const Page = ({ name, check }: { readonly name: string; readonly check: Check }) => {
  const { data, error, refetch } = useQuery(pageQuery('replacing', check))
  return (
    <section>
      <h2>{name}</h2>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <Paper html={data} label={name} />}
    </section>
  )
}

const form: string = '/new/form'

const Invalid = ({ check, draft }: { readonly check: Check; readonly draft: Draft | undefined }) => {
  const t = useTexts('replace')
  return (
    <Card title={t.invalid}>
      <Findings findings={check.findings} />
      {draft !== undefined && (
        <div>
          <Link to={form} search={{ draft: draft.id } as never} className="button primary">
            {t.backToForm}
          </Link>
        </div>
      )}
    </Card>
  )
}
