import { Link } from '@tanstack/react-router'
import { Empty } from './screen.tsx'

type Props = {
  readonly title: string
  readonly text?: string
  /** The words on the button that leads to founding one. */
  readonly action: string
}

/** Replaces the content for somebody without a company. */
export const NeedsCompany = ({ title, text, action }: Props) => (
  <Empty title={title}>
    {text !== undefined && <p>{text}</p>}
    <Link to="/company/new" className="button primary">
      {action}
    </Link>
  </Empty>
)
