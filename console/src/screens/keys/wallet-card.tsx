import type { Wallet } from '@millseal/contract'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Card, Facts } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import type { Shown } from './shown-words.ts'
import { refreshKeys } from './keys-queries.ts'
import { Recover, Rename } from './wallet-dialogs.tsx'

export const WalletCard = ({
  wallet,
  onShow,
  onRecovered,
}: {
  readonly wallet: Wallet
  readonly onShow: (shown: Shown) => void
  readonly onRecovered: (notice: string) => void
}) => {
  const t = useTexts('keys').wallet
  const { date } = useFormats()
  const { may } = useHere()
  const isEnabled = wallet.status === 'enabled'
  return (
    <Card
      title={t.title[wallet.mode]}
      actions={
        <>
          {may('updateWallet') && <Rename wallet={wallet} />}
          {may('recoverWallet') && <Recover wallet={wallet} onRecovered={onRecovered} />}
          {may('wipeWallet') && isEnabled && <Wipe wallet={wallet} />}
        </>
      }
    >
      <Facts
        facts={[
          [t.name, wallet.name],
          [
            t.state,
            <span className="row">
              <State kind={isEnabled ? 'good' : 'bad'}>{isEnabled ? t.enabled : t.disabled}</State>
              <State kind={wallet.backedUp ? 'good' : 'wait'}>
                {wallet.backedUp ? t.backedUp : t.notBackedUp}
              </State>
            </span>,
          ],
          [t.created, wallet.createdAt === undefined ? undefined : date(wallet.createdAt)],
        ]}
      />
      {!isEnabled && <p>{t.disabledText}</p>}
      {isEnabled && !wallet.backedUp && (
        <>
          <p>{t.notBackedUpText}</p>
          {may('backUpWallet') && <BackUp wallet={wallet} onShow={onShow} />}
        </>
      )}
    </Card>
  )
}

const BackUp = ({
  wallet: { id },
  onShow,
}: {
  readonly wallet: Wallet
  readonly onShow: (shown: Shown) => void
}) => {
  const t = useTexts('keys').wallet
  const { company, mode } = useHere()
  const show = async () => {
    const { mnemonic } = await api.backUpWallet({ company, query: { mode }, params: { id } })
    onShow({ wallet: id, words: mnemonic, isMarked: true })
  }
  return (
    <div className="row">
      <Confirm
        trigger={<Button kind="primary">{t.backUp}</Button>}
        title={t.backUp}
        consequence={t.backUpConsequence}
        action={t.showWords}
        onConfirm={show}
      />
    </div>
  )
}

const Wipe = ({ wallet: { id, name } }: { readonly wallet: Wallet }) => {
  const t = useTexts('keys').wallet
  const { company, mode } = useHere()
  const queries = useQueryClient()
  const wipe = async () => {
    await api.wipeWallet({ company, query: { mode }, params: { id } })
    await refreshKeys(queries)
  }
  return (
    <Confirm
      trigger={<Button kind="danger">{t.wipe}</Button>}
      title={t.wipe}
      consequence={t.wipeConsequence}
      action={t.wipe}
      typed={name}
      onConfirm={wipe}
    />
  )
}
