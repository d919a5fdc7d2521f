import type { Certificate, CodedCertificate } from '@millseal/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useHere } from '../../../shell/here.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { useFormats } from '../../../texts/format.ts'
import { Problem } from '../../../ui/problem.tsx'
import { Facts, Fold } from '../../../ui/screen.tsx'
import { Copyable } from '../../../ui/copy.tsx'
import { ReplacementLink } from './downloads.tsx'
import { codedQuery } from './queries.ts'

/** The proof for everybody, as the ledger gives it and not as our database remembers it. */
export const Proof = ({ certificate }: { readonly certificate: Certificate }) => {
  const t = useTexts('certificates')
  const { data, error, refetch } = useQuery(codedQuery(certificate))
  if (certificate.state === 'failed') return <p>{t.provesFailed}</p>
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (certificate.state !== 'notarized' || data === null) return <p>{t.provesNothing}</p>
  return (
    <>
      {data !== undefined && <Sentences coded={data} replacedBy={certificate.replacedBy} />}
      <Transactions certificate={certificate} />
      <Technical certificate={certificate} coded={data} />
    </>
  )
}

const Sentences = ({
  coded,
  replacedBy,
}: {
  readonly coded: CodedCertificate
  readonly replacedBy: string | undefined
}) => {
  const t = useTexts('certificates')
  const { date, time } = useFormats()
  const { issuer, company, timestamp, mode, corrections = [] } = coded
  const name = issuer?.name ?? company?.name
  const since = time(timestamp)
  const correction = corrections.at(-1)
  const by = (): string => {
    if (name === undefined) return t.provesUnknown(since)
    if (issuer?.reviewedAt === undefined) return t.provesUnreviewed(name, since)
    return t.provesBy(name, date(issuer.reviewedAt), since)
  }
  const words = {
    withdrawn: t.provesWithdrawn,
    replaced: t.provesReplaced,
    revoked: () => t.provesRevoked,
  }
  return (
    <>
      <p>
        {by()} {correction === undefined ? t.provesValid : words[correction.kind](correction.reason)}
      </p>
      {replacedBy !== undefined && (
        <p>
          <ReplacementLink id={replacedBy} />
        </p>
      )}
      {mode === 'test' && <p>{t.provesTest}</p>}
    </>
  )
}

/** The transaction of the certificate, and those that withdrew or replaced it. Receivers have none of them. */
const Transactions = ({ certificate: { owner, transactionId } }: { readonly certificate: Certificate }) => {
  const t = useTexts('certificates')
  const { company, may } = useHere()
  if (owner !== company || transactionId === undefined || !may('listTransactions')) return null
  return (
    <p>
      <Link to="/transactions" search={{ about: transactionId }}>
        {t.transactions}
      </Link>
    </p>
  )
}

const Technical = ({
  certificate,
  coded,
}: {
  readonly certificate: Certificate
  readonly coded: CodedCertificate | undefined
}) => {
  const t = useTexts('certificates')
  const { time, number } = useFormats()
  const { technicalFacts: names } = t
  const copyable = (name: string, text: string | undefined) =>
    [name, text === undefined ? undefined : <Copyable text={text} label={name} />] as const
  const sealFacts = (seal: Certificate['seal']) => {
    if (seal === undefined) return []
    const { signer, issuer, sealedAt, level, stampedBefore, stampedBy } = seal
    const by =
      stampedBy === undefined || stampedBefore === undefined
        ? undefined
        : t.stamped(time(stampedBefore), stampedBy)
    return [
      [names.seal, t.sealedBy(signer, issuer)],
      [names.sealedAt, [`${time(sealedAt)}, PAdES ${level}`, by].filter(Boolean).join(', ')],
    ] as const
  }
  return (
    <Fold title={t.technical}>
      <Facts
        facts={[
          copyable(names.hash, certificate.hash.value),
          copyable(names.pdfHash, certificate.pdfHash?.value),
          ...sealFacts(certificate.seal),
          copyable(names.key, coded?.issuer?.did),
          copyable(names.transaction, certificate.transactionId),
          [names.entry, coded?.proof === undefined ? undefined : number(coded.proof.logIndex)],
          [names.asOf, coded?.asOf === undefined ? undefined : time(coded.asOf)],
          [names.schema, <span className="mono">{certificate.refSchemaUrl}</span>],
          copyable(names.id, certificate.id),
        ]}
      />
    </Fold>
  )
}
