-- JSON: codes and values of the sentences beside them. Older rows, and those of the release before, have the sentences only.
alter table certificates add column reasons text;
alter table hook_events add column reasons text;
alter table hook_attempts add column reasons text;
alter table mails add column reasons text;
alter table mail_attempts add column reasons text;
