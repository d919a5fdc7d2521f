import { Button } from './button.tsx'
import { Confirm } from './confirm.tsx'
import { Card } from './screen.tsx'

/** Deletes a whole company or account. */
export const RemovalCard = ({
  texts: { title, text, consequence, action },
  name,
  onConfirm,
}: {
  readonly texts: {
    readonly title: string
    readonly text: string
    readonly consequence: string
    readonly action: string
  }
  /** The text that must be typed first. */
  readonly name: string
  readonly onConfirm: () => Promise<void>
}) => (
  <Card title={title}>
    <p className="muted">{text}</p>
    <div className="row">
      <Confirm
        trigger={<Button kind="danger">{action}</Button>}
        title={title}
        consequence={consequence}
        action={action}
        typed={name}
        onConfirm={onConfirm}
      />
    </div>
  </Card>
)
