import {
  ArrowLeftRight,
  BookUser,
  Bot,
  Braces,
  Building,
  Building2,
  CircleQuestionMark,
  CircleUser,
  ClipboardCheck,
  FileText,
  HeartPulse,
  type IconNode,
  Inbox,
  KeyRound,
  ListChecks,
  Mail,
  MailOpen,
  Network,
  Radio,
  Ruler,
  ScrollText,
  ShoppingCart,
  ShieldCheck,
  Truck,
  UserCog,
  Users,
  Webhook,
} from 'lucide'
import { createElement } from 'react'
import type { ScreenName } from './navigation.ts'

const icons: Readonly<Record<ScreenName, IconNode>> = {
  start: ListChecks,
  certificates: FileText,
  received: Inbox,
  desk: Truck,
  requirements: Ruler,
  orders: ShoppingCart,
  verify: ShieldCheck,
  keys: KeyRound,
  transactions: ArrowLeftRight,
  automation: Bot,
  webhooks: Webhook,
  events: Radio,
  mails: Mail,
  company: Building2,
  members: Users,
  customers: BookUser,
  me: CircleUser,
  reviews: ClipboardCheck,
  companies: Building,
  users: UserCog,
  networks: Network,
  schemas: Braces,
  savedMails: MailOpen,
  health: HeartPulse,
  audit: ScrollText,
  help: CircleQuestionMark,
}

/** The drawing beside a line of the navigation, of Lucide. Screen readers hear only the words. */
export const Icon = ({ of }: { readonly of: ScreenName }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    {icons[of].map(([tag, attributes], key) => createElement(tag, { ...attributes, key }))}
  </svg>
)
