import type { Transaction } from '@millseal/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Problem } from '../../ui/problem.tsx'
import { Card, Fold, Screen as Frame, Loading } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { Picture } from './picture.tsx'
import { rawQuery, transactionQuery } from './transaction-queries.ts'
import './transactions.css'

export const Screen = () => {
  const t = useTexts('transactions')
  const { company, mode } = useHere()
  const { id = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(transactionQuery(company, mode, id))
  if (data !== undefined) return <One transaction={data} />
  return (
    <Frame title={t.one}>
      {error === null ? <Loading /> : <Problem error={error} onRetry={() => void refetch()} />}
    </Frame>
  )
}

const One = ({ transaction }: { readonly transaction: Transaction }) => {
  const t = useTexts('transactions')
  const { time } = useFormats()
  const { kind, transactionId, mode, sent, createdAt } = transaction
  const { data: raw, error, isLoading, refetch } = useQuery(rawQuery(mode, transactionId))
  return (
    <Frame
      title={t.kinds[kind]}
      aside={
        <>
          <State kind={sent ? 'good' : 'wait'}>{sent ? t.sent : t.signed}</State>
          {createdAt !== undefined && <span className="muted">{time(createdAt)}</span>}
        </>
      }
    >
      {transactionId === undefined && <p>{t.notSent}</p>}
      {isLoading && <Loading />}
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {raw === null && <p>{t.elsewhere}</p>}
      {raw && <Picture transaction={transaction} raw={raw} />}
      <Card>
        <Fold title={t.raw}>
          <pre className="code" tabIndex={0} role="region" aria-label={t.raw}>
            {JSON.stringify(raw ?? transaction, null, 2)}
          </pre>
        </Fold>
      </Card>
    </Frame>
  )
}
