import { useTexts } from '../../texts/catalog.ts'
import { Paper } from '../../ui/paper.tsx'

export const MailView = ({
  html,
  text,
  attached,
}: {
  readonly html: string | undefined
  readonly text: string | undefined
  readonly attached: readonly string[]
}) => {
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
