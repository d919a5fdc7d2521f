import { useTexts } from '../../texts/catalog.ts'
import { useHere } from '../../shell/here.ts'
import { Screen as Frame } from '../../ui/screen.tsx'
import { Applications } from './applications.tsx'
import './automation.css'
import { Constants } from './constants.tsx'
import { Tokens } from './tokens.tsx'

export const Screen = () => {
  const t = useTexts('automation')
  const { may } = useHere()
  return (
    <Frame title={t.title}>
      <p className="muted">{t.intro}</p>
      <Constants />
      {may('listApplications') && <Applications />}
      {may('listAccessTokens') && <Tokens />}
    </Frame>
  )
}
