import { useTexts } from '../../texts/catalog.ts'
import { Paper } from '../../ui/paper.tsx'

type Props = {
  readonly html: string | undefined
  readonly text: string | undefined
  readonly attached: readonly string[]
}

export const MailView = ({ html, text, attached }: Props) => {
  const t = useTexts('mails')
  return (
    <>
      {html === undefined ? <pre className="mono json">{text}</pre> : <Paper html={html} label={t.mail} />}
      {attached.length > 0 && (
        <p className="muted">
          {t.attachments}: {attached.join(', ')}
        </p>
      )}
    </>
  )
}
