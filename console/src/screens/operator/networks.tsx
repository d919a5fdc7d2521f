import { useTexts } from '../../texts/catalog.ts'
import { Screen as Frame } from '../../ui/screen.tsx'
import { CoinTypes } from './coin-types.tsx'
import { Nodes } from './nodes.tsx'
import { OperatorsOnly } from './operators-only.tsx'

export const Screen = () => (
  <OperatorsOnly>
    <Networks />
  </OperatorsOnly>
)

const Networks = () => {
  const t = useTexts('operator').networks
  return (
    <Frame title={t.title}>
      <p className="muted">{t.intro}</p>
      <Nodes mode="live" />
      <Nodes mode="test" />
      <CoinTypes />
    </Frame>
  )
}
