import type { Company, CompanyProposal, Review } from '@millseal/contract'
import { useQuery } from '@tanstack/react-query'
import { api, ApiError } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Problem } from '../../ui/problem.tsx'
import { Card, type Fact, Facts, Fold } from '../../ui/screen.tsx'
import { registerFinding } from './reviews.ts'

/** The evidence of the last review, or before the first what the register says now. */
export const VatId = ({
  company,
  review,
}: {
  readonly company: Company
  readonly review: Review | undefined
}) => {
  const t = useTexts('company').vat
  return (
    <Card title={t.title}>
      {review === undefined ? <Now vatId={company.vatId} /> : <Evidence review={review} />}
    </Card>
  )
}

const Evidence = ({ review: { evidence, evidenceHash } }: { readonly review: Review }) => {
  const t = useTexts('company').vat
  const { time } = useFormats()
  const facts: readonly Fact[] = [
    [t.id, evidence.vatId],
    [t.register, t.registerFindings[registerFinding(evidence)]],
    [t.registeredName, evidence.registeredName],
    [t.registeredAddress, evidence.registeredAddress],
    [t.checkedAt, evidence.checkedAt === undefined ? undefined : time(evidence.checkedAt)],
  ]
  return (
    <>
      <p className="muted">{t.evidence}</p>
      <Facts facts={facts} />
      <Fold title={t.details}>
        <Facts
          facts={[
            [t.format, t.findings[evidence.format]],
            [t.checkDigits, t.findings[evidence.checkDigits]],
            [t.hash, <span className="mono">{evidenceHash}</span>],
          ]}
        />
      </Fold>
    </>
  )
}

const registerMs = 600_000

const Now = ({ vatId }: { readonly vatId: string }) => {
  const t = useTexts('company').vat
  const common = useTexts('common')
  const { data, error, isPending } = useQuery({
    queryKey: ['vat id', vatId],
    queryFn: ({ signal }) => api.validateVatId({ query: { vatId }, signal }),
    staleTime: registerMs,
  })
  const isUnknown = error instanceof ApiError && error.code === 'vat_id_invalid'
  const answered = data === undefined || data.name === '' ? 'unknown' : 'valid'
  const finding = isUnknown ? 'invalid' : answered
  return (
    <>
      <p className="muted">{t.now}</p>
      <Facts
        facts={[
          [t.id, vatId],
          [t.register, isPending ? common.loading : t.registerFindings[finding]],
          [t.registeredName, data?.name],
          [t.registeredAddress, data === undefined ? undefined : lineOf(data)],
        ]}
      />
      {error !== null && !isUnknown && <Problem error={error} />}
    </>
  )
}

const lineOf = ({ address: { street, zipCode, city } }: CompanyProposal): string =>
  [street, `${zipCode} ${city}`.trim()].filter((part) => part !== '').join(', ')
