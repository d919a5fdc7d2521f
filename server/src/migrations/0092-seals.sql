alter table certificates add column seal text;
comment on column certificates.seal is 'Who sealed its PDF, as JSON; null if nobody did';
