export const texts = {
  title: 'Live events',
  intro: 'What happens in the company now, as programs hear it over MQTT. It begins when this screen opens.',
  states: {
    connecting: 'Connecting',
    listening: 'Listening',
    away: 'Not connected; tries again',
    refused: 'Refused',
  },
  stuck:
    'Still no connection. A proxy or a firewall between you and the server may block WebSockets: tell the operator of this service that the path /mqtt must let them through. Nothing is lost: the events of a month are with the webhooks.',
  pause: 'Pause',
  goOn: 'Go on',
  clear: 'Clear',
  none: 'Nothing has happened yet',
  noneText: 'Notarize a certificate in another window and watch.',
  time: 'Time',
  event: 'Event',
  about: 'About',
  content: 'Content',
  webhooks: 'What was sent to webhooks in the past month is with the webhooks.',
}
