import type { Transaction } from '@millseal/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { NeedsCompany } from '../../ui/needs-company.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Empty, Screen as Frame, Loading } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { shortDid } from '../keys/keys-queries.ts'
import { useIdentities } from './use-identities.ts'
import { transactionsQuery } from './transaction-queries.ts'
import './transactions.css'

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
  const listed = useInfiniteQuery(transactionsQuery(company, mode))
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = listed
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const transactions = data.pages.flatMap((page) => page.transactions)
  if (transactions.length === 0)
    return (
      <Empty title={t.none}>
        <p>{t.noneText}</p>
        <Link to="/start" className="button primary">
          {t.toStart}
        </Link>
      </Empty>
    )
  return (
    <>
      <p className="muted">{t.intro}</p>
      <Table transactions={transactions} />
      {hasNextPage && (
        <div className="row">
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {t.more}
          </Button>
        </div>
      )}
    </>
  )
}

const Table = ({ transactions }: { readonly transactions: readonly Transaction[] }) => {
  const t = useTexts('transactions')
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={t.table}>
      <table className="table narrow-cards" aria-label={t.table}>
        <thead>
          <tr>
            {([t.time, t.signer, t.id, t.state] as const).map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {transactions.map((transaction) => (
            <Row key={transaction.id} transaction={transaction} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Row = ({ transaction }: { readonly transaction: Transaction }) => {
  const t = useTexts('transactions')
  const { time } = useFormats()
  const identities = useIdentities()
  const { id, createdAt, transactionId, sent } = transaction
  const [signer = ''] = transaction.identities
  const identity = identities.get(signer)
  return (
    <tr>
      <td>
        <Link to="/transactions/$id" params={{ id }}>
          {createdAt === undefined ? id : time(createdAt)}
        </Link>
      </td>
      <td>
        {identity === undefined ? (
          t.unknownIdentity
        ) : (
          <Link to="/keys/$identity" params={{ identity: identity.id }} className="mono">
            {shortDid(identity.did)}
          </Link>
        )}
      </td>
      <td className="mono">{transactionId === undefined ? '–' : `${transactionId.slice(0, 16)}…`}</td>
      <td>
        <State kind={sent ? 'good' : 'wait'}>{sent ? t.sent : t.signed}</State>
      </td>
    </tr>
  )
}
