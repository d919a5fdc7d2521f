-- People whom a company invited by mail.
create table invitations (
  id uuid primary key,
  company_id uuid not null references companies on delete cascade,
  address text not null,
  role text not null check (role in ('admin', 'operator', 'read_only')),
  inviter_id uuid not null,
  inviter_username text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz,
  check (accepted_at is null or withdrawn_at is null)
);
create index invitations_company on invitations (company_id, id);
create index invitations_created on invitations (created_at);
comment on column invitations.address is 'In lower case';

create table invitation_links (
  token_hash bytea primary key,
  invitation_id uuid not null references invitations on delete cascade
);
create index invitation_links_invitation on invitation_links (invitation_id);
comment on table invitation_links is 'One per attempt to send the mail; only the SHA-256 of the token is stored';
