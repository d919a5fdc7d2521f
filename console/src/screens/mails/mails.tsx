import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Screen as Frame } from '../../ui/screen.tsx'
import { MailHooks } from './mail-hooks.tsx'
import { SentMails } from './sent-mails.tsx'
import { Suppressions } from './suppressions.tsx'

export const Screen = () => {
  const t = useTexts('mails')
  const { company, may } = useHere()
  return (
    <Frame title={t.title}>
      {may('listMailHooks') && <MailHooks />}
      {may('listSuppressions') && <Suppressions />}
      <SentMails key={company} />
    </Frame>
  )
}
