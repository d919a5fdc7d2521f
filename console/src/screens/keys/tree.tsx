import type { Identity, Wallet } from '@millseal/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { FilterChip, Finder, optionsOf } from '../../ui/list/finder.tsx'
import { Nothing } from '../../ui/list/nothing.tsx'
import { Rows, useFound } from '../../ui/list/rows.tsx'
import { SearchInput } from '../../ui/list/search-input.tsx'
import { useNarrowing } from '../../ui/list/use-narrowing.ts'
import { Card, Empty } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { identityKinds } from './identity-kinds.ts'
import { identityPages, shortDid } from './keys-queries.ts'
import type { KeysSearch } from './keys-search.ts'
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
  const { text, status }: KeysSearch = useSearch({ strict: false })
  const narrow = useNarrowing<KeysSearch>()
  const list = useInfiniteQuery({
    ...identityPages(company, mode, { text, status }),
    placeholderData: (previous) => previous,
  })
  const found = useFound(list)
  const isNarrowed = text !== undefined || status !== undefined
  const reset = () => narrow({ text: undefined, status: undefined })
  const creation = may('createIdentity') && wallet.status === 'enabled' && <NewIdentity wallet={wallet} />
  // The dialog stays where it is when the list arrives or somebody else adds the first identity: moved, it would close.
  const isEmpty = !isNarrowed && list.data?.pages[0]?.rows.length === 0
  if (isEmpty)
    return (
      <Card title={t.title} actions={creation}>
        <Empty title={t.none}>
          <p>{t.noneText}</p>
        </Empty>
      </Card>
    )
  return (
    <Card title={t.title} actions={creation}>
      <p className="muted">{t.intro}</p>
      <Finder label={t.search} found={found} isNarrowed={isNarrowed} onReset={reset}>
        <SearchInput
          label={t.search}
          hint={t.searchHint}
          value={text ?? ''}
          onChange={(next) => narrow({ text: next })}
        />
        <FilterChip
          label={t.state}
          any={t.anyState}
          options={optionsOf(t.states)}
          value={status}
          onChange={(next) => narrow({ status: next })}
        />
      </Finder>
      <Rows
        list={list}
        empty={
          <Nothing isNarrowed={isNarrowed} onReset={reset}>
            {null}
          </Nothing>
        }
      >
        {(identities) => <Departments identities={identities} />}
      </Rows>
    </Card>
  )
}

const Departments = ({ identities }: { readonly identities: readonly Identity[] }) => (
  <ul className="tree">
    {departmentsOf(identities).map(([account, those]) => (
      <Department key={account} account={account} identities={those} />
    ))}
  </ul>
)

const Department = ({
  account,
  identities,
}: {
  readonly account: number
  readonly identities: readonly Identity[]
}) => {
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
      <span className="end row">
        {isPublic ? <State kind="good">{t.public}</State> : <span className="muted">{t.notPublic}</span>}
        <State kind={identityKinds[status]}>{t.states[status]}</State>
      </span>
    </li>
  )
}
