import type { Texts } from '../languages.ts'

export const texts: Texts['events'] = {
  title: 'Live-Ereignisse',
  intro:
    'Was in der Firma jetzt geschieht, wie Programme es über MQTT hören. Es beginnt, wenn diese Seite geöffnet wird.',
  states: {
    connecting: 'Verbindet',
    listening: 'Hört zu',
    away: 'Nicht verbunden; versucht es wieder',
    refused: 'Abgewiesen',
  },
  stuck:
    'Noch keine Verbindung. Vielleicht sperrt ein Proxy oder eine Firewall zwischen Ihnen und dem Server WebSockets: Sagen Sie dem Betreiber dieses Dienstes, dass der Pfad /mqtt sie durchlassen muss. Es geht nichts verloren: Die Ereignisse eines Monats stehen bei den Webhooks.',
  pause: 'Anhalten',
  goOn: 'Weiter',
  clear: 'Leeren',
  none: 'Noch ist nichts geschehen',
  noneText: 'Notarisieren Sie ein Zeugnis in einem anderen Fenster und sehen Sie zu.',
  time: 'Zeit',
  event: 'Ereignis',
  about: 'Betrifft',
  content: 'Inhalt',
  webhooks: 'Was im letzten Monat an Webhooks ging, steht bei den Webhooks.',
}
