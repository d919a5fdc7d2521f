import type { Identity, Wallet } from '@millseal/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card, Empty } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { identityKinds } from './identity-kinds.ts'
import { identitiesQuery, pathOf, shortDid } from './keys-queries.ts'
import { NewIdentity } from './new-identity.tsx'

/** Departments in the order of their numbers. */
const departmentsOf = (
  identities: readonly Identity[],
): readonly (readonly [number, readonly Identity[]])[] =>
  [...Map.groupBy(identities, ({ account }) => account)]
    .map(([account, those]) => [account, those.toSorted((one, other) => one.index - other.index)] as const)
    .toSorted(([one], [other]) => one - other)

export const Tree = ({ wallet }: { readonly wallet: Wallet }) => {
  const t = useTexts('keys').identities
  const { company, mode, may } = useHere()
  const listed = useInfiniteQuery(identitiesQuery(company, mode))
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = listed
  const creation = may('createIdentity') && wallet.status === 'enabled' && <NewIdentity wallet={wallet} />
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const departments = departmentsOf(data.pages.flatMap(({ identities }) => identities))
  if (departments.length === 0)
    return (
      <Empty title={t.none}>
        <p>{t.noneText}</p>
        {creation}
      </Empty>
    )
  return (
    <Card title={t.title} actions={creation}>
      <p className="muted">{t.intro}</p>
      <ul className="tree">
        {departments.map(([account, identities]) => (
          <Department key={account} account={account} identities={identities} />
        ))}
      </ul>
      {hasNextPage && (
        <div className="row">
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {t.more}
          </Button>
        </div>
      )}
    </Card>
  )
}

type DepartmentProps = { readonly account: number; readonly identities: readonly Identity[] }

const Department = ({ account, identities }: DepartmentProps) => {
  const t = useTexts('keys').identities
  return (
    <li>
      <details open>
        <summary>
          <b>{t.department(account)}</b> <span className="muted">{t.count(identities.length)}</span>
        </summary>
        <ul>
          {identities.map((identity) => (
            <Leaf key={identity.id} identity={identity} />
          ))}
        </ul>
      </details>
    </li>
  )
}

const Leaf = ({ identity }: { readonly identity: Identity }) => {
  const t = useTexts('keys').identities
  const { id, did, name, status, isPublic } = identity
  const called = name ?? shortDid(did)
  return (
    <li className="row">
      <Link
        to="/keys/$identity"
        params={{ identity: id }}
        aria-label={t.open(called)}
        className={name === undefined ? 'mono' : ''}
      >
        {called}
      </Link>
      <span className="mono muted">{pathOf(identity)}</span>
      <span className="end row">
        {isPublic ? <State kind="good">{t.public}</State> : <span className="muted">{t.notPublic}</span>}
        <State kind={identityKinds[status]}>{t.states[status]}</State>
      </span>
    </li>
  )
}
