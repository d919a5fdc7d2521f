import type { Identity } from '@millseal/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Copyable } from '../../ui/copy.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card, Facts, Fold, Screen as Frame, Loading } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import './keys.css'
import { identityKinds } from './identity-kinds.ts'
import { identityQuery, pathOf, shortDid } from './keys-queries.ts'
import { Publish } from './publish.tsx'
import { RenameIdentity } from './rename-identity.tsx'
import { Revoke } from './revoke.tsx'

export const Screen = () => {
  const t = useTexts('keys')
  const { company, mode, may } = useHere()
  const { identity: id = '' } = useParams({ strict: false })
  const { data: identity, error, refetch } = useQuery(identityQuery(company, mode, id))
  if (identity === undefined)
    return (
      <Frame title={t.identity.title}>
        {error === null ? <Loading /> : <Problem error={error} onRetry={() => void refetch()} />}
      </Frame>
    )
  const { status, isPublic, did, name } = identity
  return (
    <Frame
      title={name ?? `${t.identity.title} ${shortDid(did)}`}
      aside={<State kind={identityKinds[status]}>{t.identities.states[status]}</State>}
      actions={
        <>
          {may('updateIdentity') && <RenameIdentity identity={identity} />}
          {status !== 'revoked' && may('revokeIdentity') && <Revoke identity={identity} />}
          {status === 'valid' && !isPublic && may('notarizeIdentity') && <Publish identity={identity} />}
        </>
      }
    >
      <Explanation identity={identity} />
      <Card>
        <Data identity={identity} />
        <p>
          <Link to="/certificates" search={{ identity: id }}>
            {t.identity.certificates}
          </Link>
        </p>
        {may('listTransactions') && (
          <p>
            <Link to="/transactions" search={{ identity: id }}>
              {t.identity.transactions}
            </Link>
          </p>
        )}
        <Fold title={t.identity.technical}>
          <Technical identity={identity} />
        </Fold>
      </Card>
    </Frame>
  )
}

type Props = { readonly identity: Identity }

const Explanation = ({ identity: { status, revokedSince } }: Props) => {
  const t = useTexts('keys').identity
  const { time } = useFormats()
  if (status === 'obsolete') return <p>{t.obsoleteText}</p>
  if (status === 'revoked' && revokedSince !== undefined) return <p>{t.revokedSince(time(revokedSince))}</p>
  return null
}

const Data = ({ identity }: Props) => {
  const t = useTexts('keys').identity
  const states = useTexts('keys').identities
  const { time } = useFormats()
  const { createdAt, isPublic, account } = identity
  return (
    <Facts
      facts={[
        [
          t.visibility,
          <>
            <State kind={isPublic ? 'good' : 'gone'}>{isPublic ? states.public : states.notPublic}</State>
            <span className="muted below">{isPublic ? t.publicText : t.notPublicText}</span>
          </>,
        ],
        [states.number, account],
        [t.created, createdAt === undefined ? undefined : time(createdAt)],
      ]}
    />
  )
}

/** For those who connect programs, not for those who issue certificates. */
const Technical = ({ identity }: Props) => {
  const t = useTexts('keys').identity
  const { id, did, publicKey } = identity
  return (
    <div className="stack">
      <Facts
        facts={[
          [t.path, <span className="mono">{pathOf(identity)}</span>],
          [t.did, <Copyable text={did} label={t.did} />],
          [t.publicKey, <Copyable text={publicKey} label={t.publicKey} />],
        ]}
      />
      <h3>{t.didDocument}</h3>
      <DidDocument id={id} />
    </div>
  )
}

const DidDocument = ({ id }: { readonly id: string }) => {
  const t = useTexts('keys').identity
  const { company, mode } = useHere()
  const { data, error } = useQuery({
    queryKey: ['did', company, mode, id],
    queryFn: () => api.readDidDocument({ company, query: { mode }, params: { id } }),
  })
  if (error !== null) return <Problem error={error} />
  return (
    <pre className="code" tabIndex={0} role="region" aria-label={t.didDocument}>
      {JSON.stringify(data, null, 2)}
    </pre>
  )
}
