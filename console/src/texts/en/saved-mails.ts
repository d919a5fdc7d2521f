export const texts = {
  title: 'Saved mails',
  intro:
    'This installation has no mail server: mails are saved as files. Tokens in links are hidden here; the files in the folder mails have them.',
  search: 'Search saved mails',
  none: 'No mail was saved yet',
  noneText: 'The next mail, for example the one that confirms an address, appears here.',
  from: 'From',
  gone: 'Mails are not saved here',
  goneText: 'A mail server sends them (SMTP_URL).',
}
