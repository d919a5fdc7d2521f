import type { UserResponse } from '@millseal/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import type { UsersSearch } from './searches.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Screen as Frame } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { FilterChip, Finder, optionsOf } from '../../ui/list/finder.tsx'
import { Nothing } from '../../ui/list/nothing.tsx'
import { OperatorsOnly } from './operators-only.tsx'
import { pagesOf } from '../../ui/list/pages.ts'
import { Rows, useFound } from '../../ui/list/rows.tsx'
import { SearchInput } from '../../ui/list/search-input.tsx'
import { Table } from '../../ui/list/table.tsx'
import { useNarrowing } from '../../ui/list/use-narrowing.ts'
import { ChangeStatus } from './user-status.tsx'

export const Screen = () => (
  <OperatorsOnly>
    <Users />
  </OperatorsOnly>
)

const usersQuery = ({ text, status, role }: UsersSearch) =>
  pagesOf(['operator', 'users', text, status, role], ({ after, ...call }) =>
    api.listUsers({
      query: {
        limit: 50,
        ...after,
        text,
        status,
        role,
      },
      ...call,
    }),
  )

const Users = () => {
  const t = useTexts('operator')
  const { text, status, role }: UsersSearch = useSearch({ strict: false })
  const narrow = useNarrowing<UsersSearch>()
  const list = useInfiniteQuery({
    ...usersQuery({ text, status, role }),
    placeholderData: (previous) => previous,
  })
  const isNarrowed = [text, status, role].some((value) => value !== undefined)
  const reset = () => narrow({ text: undefined, status: undefined, role: undefined })
  return (
    <Frame title={t.users.title}>
      <Finder label={t.users.search} found={useFound(list)} isNarrowed={isNarrowed} onReset={reset}>
        <SearchInput
          label={t.users.search}
          hint={t.users.searchHint}
          value={text ?? ''}
          onChange={(next) => narrow({ text: next })}
        />
        <FilterChip
          label={t.narrow}
          any={t.anyState}
          options={optionsOf(t.activity)}
          value={status}
          onChange={(next) => narrow({ status: next })}
        />
        <FilterChip
          label={t.users.roleFilter}
          any={t.users.anyRole}
          options={optionsOf(t.users.roles)}
          value={role}
          onChange={(next) => narrow({ role: next })}
        />
      </Finder>
      <Rows
        list={list}
        empty={
          <Nothing isNarrowed onReset={reset}>
            {null}
          </Nothing>
        }
      >
        {(users) => <List users={users} />}
      </Rows>
    </Frame>
  )
}

const List = ({ users }: { readonly users: readonly UserResponse[] }) => {
  const t = useTexts('operator')
  const { date } = useFormats()
  return (
    <Table
      label={t.users.table}
      columns={[t.users.name, t.users.companies, t.users.role, t.users.state, t.users.since, t.action]}
      lines={users.map((user) => ({
        id: user.id,
        cells: [
          <>
            <b>{user.username}</b>
            <span className="muted below">{user.email}</span>
          </>,
          <Companies user={user} />,
          t.users.roles[user.role],
          <UserState user={user} />,
          user.createdAt === undefined ? '–' : date(user.createdAt),
          <Actions user={user} />,
        ],
      }))}
    />
  )
}

const Companies = ({ user: { companies, assignedCompanies } }: { readonly user: UserResponse }) => {
  const all = new Map([...companies, ...assignedCompanies].map(({ id, name }) => [id, name]))
  if (all.size === 0) return '–'
  return [...all].map(([id, name]) => (
    <Link key={id} to="/operator/reviews/$company" params={{ company: id }} className="below">
      {name}
    </Link>
  ))
}

const UserState = ({ user: { status, emailConfirmed } }: { readonly user: UserResponse }) => {
  const t = useTexts('operator')
  if (status === 'inactive') return <State kind="gone">{t.activity.inactive}</State>
  return emailConfirmed ? (
    <State kind="good">{t.activity.active}</State>
  ) : (
    <State kind="wait">{t.users.unconfirmed}</State>
  )
}

const Actions = ({ user }: { readonly user: UserResponse }) => {
  const t = useTexts('operator')
  const { session } = useHere()
  return (
    <span className="row">
      <Link
        to="/operator/audit"
        search={{ actor: `user:${user.id}` }}
        aria-label={`${t.inAudit}: ${user.username}`}
      >
        {t.inAudit}
      </Link>
      {user.id === session.me.id ? (
        <span className="muted">{t.users.you}</span>
      ) : (
        <ChangeStatus user={user} />
      )}
    </span>
  )
}
