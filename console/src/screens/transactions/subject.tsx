import type { Transaction } from '@millseal/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { shortDid } from '../keys/keys-queries.ts'
import { CertificateState } from '../certificates/data/certificate-state.tsx'
import { numberOf } from '../certificates/data/number.ts'
import { certificateOfQuery, recordOfQuery } from './transaction-queries.ts'
import { useIdentities } from './use-identities.ts'

/** A link from a transaction to the screen of its subject. */
export const Subject = ({ transaction }: { readonly transaction: Transaction }): ReactNode => {
  const { kind, subject } = transaction
  if (subject === undefined) return null
  if (kind === 'certificate') return <OfHash hash={subject} mode={transaction.mode} />
  if (kind === 'withdrawal' || kind === 'replacement')
    return <Corrected transactionId={subject} mode={transaction.mode} />
  if (kind === 'review') return <Reviewed did={subject} />
  return <OfDid did={subject} />
}

const OfHash = ({ hash, mode }: { readonly hash: string; readonly mode: Transaction['mode'] }) => {
  const t = useTexts('transactions')
  const { company, may } = useHere()
  const { data } = useQuery({
    ...certificateOfQuery(company, mode, hash),
    enabled: may('listCertificates'),
  })
  if (data === undefined) return null
  if (data === null) return <p className="muted">{t.certificateGone}</p>
  return (
    <p className="row">
      <Link to="/certificates/$id" params={{ id: data.id }}>
        {t.certificate(numberOf(data))}
      </Link>
      <CertificateState certificate={data} />
    </p>
  )
}

const Corrected = ({
  transactionId,
  mode,
}: {
  readonly transactionId: string
  readonly mode: Transaction['mode']
}) => {
  const t = useTexts('transactions')
  const { company } = useHere()
  const { data } = useQuery(recordOfQuery(company, mode, transactionId))
  if (data === undefined || data === null) return null
  return (
    <>
      {data.subject !== undefined && <OfHash hash={data.subject} mode={mode} />}
      <p>
        <Link to="/transactions/$id" params={{ id: data.id }}>
          {t.corrected}
        </Link>
      </p>
    </>
  )
}

const OfDid = ({ did }: { readonly did: string }) => {
  const t = useTexts('transactions')
  const identity = [...useIdentities().values()].find((each) => each.did === did)
  if (identity === undefined) return null
  return (
    <p>
      <Link to="/keys/$identity" params={{ identity: identity.id }}>
        {t.identity(identity.name ?? shortDid(did))}
      </Link>
    </p>
  )
}

const Reviewed = ({ did }: { readonly did: string }) => {
  const t = useTexts('transactions')
  return (
    <>
      <OfDid did={did} />
      <p>
        <Link to="/company">{t.company}</Link>
      </p>
    </>
  )
}
