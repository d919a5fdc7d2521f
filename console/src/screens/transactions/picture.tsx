import type { BigChainTransaction, Transaction } from '@millseal/contract'
import { portablePrimitives, verifyTransaction } from '@millseal/proof'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Copyable } from '../../ui/copy.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Facts } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { shortDid } from '../keys/keys-queries.ts'
import { didOfKey, fieldsOf, ownersOf, signatureIn } from './contents.ts'
import { Subject } from './subject.tsx'
import { positionQuery } from './transaction-queries.ts'
import { useIdentities } from './use-identities.ts'

type Props = { readonly transaction: Transaction; readonly raw: BigChainTransaction }

/** From left to right, or on a phone from top to bottom: the signer, the content, and its place on the ledger. */
export const Picture = (props: Props) => {
  const t = useTexts('transactions')
  return (
    <ol className="picture" aria-label={t.picture}>
      <li className="card">
        <h2>{t.signedBy}</h2>
        <Signers {...props} />
      </li>
      <li className="card">
        <h2>{t.what}</h2>
        <Contents {...props} />
      </li>
      <li className="card">
        <h2>{t.where}</h2>
        <Place {...props} />
      </li>
    </ol>
  )
}

const isSound = (raw: BigChainTransaction): boolean => {
  try {
    verifyTransaction(raw, portablePrimitives)
    return true
  } catch {
    return false
  }
}

const Signers = ({ raw }: Props) => {
  const t = useTexts('transactions')
  const isChecked = useMemo(() => isSound(raw), [raw])
  const signature = signatureIn(raw.inputs[0]?.fulfillment)
  return (
    <>
      {ownersOf(raw).map((owner) => (
        <Signer key={owner} publicKey={owner} />
      ))}
      <p>
        <State kind={isChecked ? 'good' : 'bad'}>{t.signature}</State>
        <span className="muted below">{isChecked ? t.checks : t.checksNot}</span>
      </p>
      {signature !== undefined && <p className="mono muted">{signature}</p>}
    </>
  )
}

const Signer = ({ publicKey }: { readonly publicKey: string }) => {
  const t = useTexts('transactions')
  const identity = [...useIdentities().values()].find((each) => each.publicKey === publicKey)
  const did = didOfKey(publicKey) ?? publicKey
  return (
    <p>
      {identity === undefined ? (
        <span className="mono">{did}</span>
      ) : (
        <>
          <Link to="/keys/$identity" params={{ identity: identity.id }} className="mono">
            {shortDid(identity.did)}
          </Link>{' '}
          <span className="muted">({t.you})</span>
        </>
      )}
    </p>
  )
}

const Contents = ({ transaction, raw }: Props) => {
  const t = useTexts('transactions')
  return (
    <>
      <p>
        <b>{t.kinds[transaction.kind]}</b>
      </p>
      <Facts
        facts={fieldsOf(raw).map(([name, value]) => [t.fields[name], <Value name={name} value={value} />])}
      />
      <Subject transaction={transaction} />
    </>
  )
}

const plainFields = ['company', 'vatId', 'reason']

const Value = ({ name, value }: { readonly name: string; readonly value: string }) => {
  const { time } = useFormats()
  if (name === 'since' || name === 'reviewedAt') return time(value)
  return plainFields.includes(name) ? value : <span className="mono">{value}</span>
}

const Place = ({ transaction: { mode }, raw }: Props) => {
  const t = useTexts('transactions')
  const { number, time } = useFormats()
  const { data: position, error } = useQuery(positionQuery(mode, raw))
  return (
    <>
      <p>
        <b>{t.log[mode]}</b>
      </p>
      {position && (
        <p className="entry">
          {position.size === undefined
            ? t.entry(number(position.index))
            : t.entryOf(number(position.index), number(position.size))}
        </p>
      )}
      {position === null && <p>{t.entryUnknown}</p>}
      {error !== null && <Problem error={error} />}
      <Facts
        facts={[
          [t.recordedAt, position?.time === undefined ? undefined : time(position.time)],
          [t.ledgerId, <Copyable text={raw.id ?? ''} label={t.ledgerId} />],
        ]}
      />
    </>
  )
}
