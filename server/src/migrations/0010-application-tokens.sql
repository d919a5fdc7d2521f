alter table applications add column previous_token_id uuid;

comment on column applications.previous_token_id is 'The token before, good until its own end: other holders of the secret may still use it';
