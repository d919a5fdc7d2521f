import type { Transaction } from '@millseal/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { FilterChip, Finder, optionsOf } from '../../ui/list/finder.tsx'
import { Nothing } from '../../ui/list/nothing.tsx'
import { Rows, useFound } from '../../ui/list/rows.tsx'
import { SearchInput } from '../../ui/list/search-input.tsx'
import { Table } from '../../ui/list/table.tsx'
import { useNarrowing } from '../../ui/list/use-narrowing.ts'
import { NeedsCompany } from '../../ui/needs-company.tsx'
import { Empty, Screen as Frame } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { shortDid } from '../keys/keys-queries.ts'
import { transactionsQuery } from './transaction-queries.ts'
import './transactions.css'
import type { TransactionsSearch } from './transactions-search.ts'
import { useIdentities } from './use-identities.ts'

export const Screen = () => {
  const t = useTexts('transactions')
  const { membership, mode } = useHere()
  return (
    <Frame title={t.title}>
      {membership === undefined ? (
        <NeedsCompany title={t.needsCompany} action={t.found} />
      ) : (
        <List key={`${membership.company.id} ${mode}`} />
      )}
    </Frame>
  )
}

const List = () => {
  const t = useTexts('transactions')
  const { company, mode } = useHere()
  const { kind, identity, about }: TransactionsSearch = useSearch({ strict: false })
  const narrow = useNarrowing<TransactionsSearch>()
  const list = useInfiniteQuery({
    ...transactionsQuery(company, mode, { kind, identity, about }),
    placeholderData: (previous) => previous,
  })
  const identities = [...useIdentities().values()]
  const isNarrowed = [kind, identity, about].some((value) => value !== undefined)
  const reset = () => narrow({ kind: undefined, identity: undefined, about: undefined })
  return (
    <>
      <p className="muted">{t.intro}</p>
      <Finder label={t.search} found={useFound(list)} isNarrowed={isNarrowed} onReset={reset}>
        <SearchInput
          label={t.search}
          hint={t.searchHint}
          value={about ?? ''}
          onChange={(next) => narrow({ about: next })}
        />
        <FilterChip
          label={t.what}
          any={t.anyKind}
          options={optionsOf(t.kinds)}
          value={kind}
          onChange={(next) => narrow({ kind: next })}
        />
        {identities.length > 1 && (
          <FilterChip
            label={t.signer}
            any={t.anyIdentity}
            options={identities.map(({ id, name, did }) => ({ id, label: name ?? shortDid(did) }))}
            value={identity}
            onChange={(next) => narrow({ identity: next })}
          />
        )}
      </Finder>
      <Rows
        list={list}
        empty={
          <Nothing isNarrowed={isNarrowed} onReset={reset}>
            <None />
          </Nothing>
        }
      >
        {(transactions) => <Transactions transactions={transactions} />}
      </Rows>
    </>
  )
}

const None = () => {
  const t = useTexts('transactions')
  return (
    <Empty title={t.none}>
      <p>{t.noneText}</p>
      <Link to="/start" className="button primary">
        {t.toStart}
      </Link>
    </Empty>
  )
}

const Transactions = ({ transactions }: { readonly transactions: readonly Transaction[] }) => {
  const t = useTexts('transactions')
  const { time } = useFormats()
  return (
    <Table
      label={t.table}
      columns={[t.what, t.time, t.signer, t.id, t.state]}
      lines={transactions.map((transaction) => {
        const { id, kind, createdAt, transactionId, sent } = transaction
        return {
          id,
          cells: [
            <Link to="/transactions/$id" params={{ id }} className="strong">
              {t.kinds[kind]}
            </Link>,
            createdAt === undefined ? '–' : time(createdAt),
            <Signer transaction={transaction} />,
            <span className="mono">
              {transactionId === undefined ? '–' : `${transactionId.slice(0, 16)}…`}
            </span>,
            <State kind={sent ? 'good' : 'wait'}>{sent ? t.sent : t.signed}</State>,
          ],
        }
      })}
    />
  )
}

const Signer = ({ transaction }: { readonly transaction: Transaction }) => {
  const t = useTexts('transactions')
  const [signer = ''] = transaction.identities
  const identity = useIdentities().get(signer)
  if (identity === undefined) return t.unknownIdentity
  return (
    <Link to="/keys/$identity" params={{ identity: identity.id }}>
      {identity.name ?? <span className="mono">{shortDid(identity.did)}</span>}
    </Link>
  )
}
