import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { NeedsCompany } from '../../ui/needs-company.tsx'
import { Notice, Problem } from '../../ui/problem.tsx'
import { Screen as Frame, Loading } from '../../ui/screen.tsx'
import './keys.css'
import { walletQuery } from './keys-queries.ts'
import { NewWallet } from './new-wallet.tsx'
import type { Shown } from './shown-words.ts'
import { Tree } from './tree.tsx'
import { WalletCard } from './wallet-card.tsx'
import { Words } from './words.tsx'

export const Screen = () => {
  const t = useTexts('keys')
  const { membership, mode } = useHere()
  return (
    <Frame title={t.title}>
      {membership === undefined ? (
        <NeedsCompany title={t.needsCompany} action={t.found} />
      ) : (
        <Keys key={`${membership.company.id} ${mode}`} />
      )}
    </Frame>
  )
}

const Keys = () => {
  const t = useTexts('keys')
  const { company, mode } = useHere()
  const { data: wallet, error, refetch } = useQuery(walletQuery(company, mode))
  const [shown, setShown] = useState<Shown>()
  const [notice, setNotice] = useState<string>()
  const prove = () => {
    setShown(undefined)
    setNotice(t.words.proved)
  }
  if (shown !== undefined) return <Words shown={shown} onProved={prove} />
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (wallet === undefined) return <Loading />
  if (wallet === null) return <NewWallet onCreated={setShown} />
  return (
    <>
      {notice !== undefined && (
        <Notice kind="good">
          <p>{notice}</p>
        </Notice>
      )}
      <WalletCard wallet={wallet} onShow={setShown} onRecovered={setNotice} />
      <Tree wallet={wallet} />
    </>
  )
}
