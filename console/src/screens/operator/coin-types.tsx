import type { CoinTypeRecord } from '@millseal/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, ApiError } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card, Loading } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { Table } from '../../ui/list/table.tsx'

/** The coin type of the ledgers of this service. The list of the API leaves it out while it is disabled. */
const ledgerCoinType = 822

const readOne = async (coinType: number, signal: AbortSignal): Promise<CoinTypeRecord | undefined> => {
  try {
    return await api.readCoinType({ params: { coinType }, signal })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

const coinTypesQuery = {
  queryKey: ['operator', 'coin types'],
  async queryFn({ signal }: { readonly signal: AbortSignal }): Promise<readonly CoinTypeRecord[]> {
    const active = await api.listCoinTypes({ signal })
    const all = [...new Set([ledgerCoinType, ...active])]
    const found = await Promise.all(all.map((coinType) => readOne(coinType, signal)))
    return found.filter((one) => one !== undefined)
  },
}

export const CoinTypes = () => {
  const t = useTexts('operator').networks
  const { data, error, refetch } = useQuery(coinTypesQuery)
  return (
    <Card title={t.coinTypes}>
      <p className="muted">{t.coinTypesText}</p>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Loading />
      ) : data.length === 0 ? (
        <Missing />
      ) : (
        <List coinTypes={data} />
      )}
    </Card>
  )
}

const Missing = () => {
  const t = useTexts('operator').networks
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.createCoinType({ body: { bip44Id: ledgerCoinType } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['operator', 'coin types'] }),
  })
  return (
    <>
      <p>
        <b>{t.missing}.</b> {t.missingText}
      </p>
      {error !== null && <Problem error={error} />}
      <div className="row">
        <Button kind="primary" isPending={isPending} onPress={() => mutate()}>
          {t.addCoinType}
        </Button>
      </div>
    </>
  )
}

const List = ({ coinTypes }: { readonly coinTypes: readonly CoinTypeRecord[] }) => {
  const t = useTexts('operator')
  return (
    <Table
      label={t.networks.coinTypes}
      columns={[t.networks.coinType, t.networks.coinState, t.action]}
      lines={coinTypes.map((coinType) => ({
        id: coinType.id,
        cells: [
          <>
            <b>{coinType.bip44Id}</b>
            <span className="muted below">{t.networks.names(coinType.bip44Id)}</span>
          </>,
          <State kind={coinType.status === 'active' ? 'good' : 'gone'}>{t.activity[coinType.status]}</State>,
          <Actions coinType={coinType} />,
        ],
      }))}
    />
  )
}

const Actions = ({ coinType: { bip44Id: coinType, status } }: { readonly coinType: CoinTypeRecord }) => {
  const t = useTexts('operator').networks
  const queries = useQueryClient()
  const after = async (call: Promise<unknown>) => {
    await call
    await queries.invalidateQueries({ queryKey: ['operator', 'coin types'] })
  }
  const toggle = () => after(api.toggleCoinType({ params: { coinType } }))
  const enable = useMutation({ mutationFn: toggle })
  return (
    <span className="row">
      {status === 'active' ? (
        <Confirm
          trigger={<Button>{t.turnOff}</Button>}
          title={t.turnOffTitle}
          consequence={t.turnOffText}
          action={t.turnOff}
          typed={String(coinType)}
          onConfirm={toggle}
        />
      ) : (
        <Button kind="primary" isPending={enable.isPending} onPress={() => enable.mutate()}>
          {t.turnOn}
        </Button>
      )}
      <Confirm
        trigger={<Button>{t.removeCoinType}</Button>}
        title={t.removeCoinTypeTitle}
        consequence={t.removeCoinTypeText}
        action={t.removeCoinType}
        typed={String(coinType)}
        onConfirm={() => after(api.deleteCoinType({ params: { coinType } }))}
      />
      {enable.error !== null && <Problem error={enable.error} />}
    </span>
  )
}
