//! The mail service, SESv2: one request a mail, and what its answer means.

use std::time::Duration;

use aws_sdk_sesv2::Client;
use aws_sdk_sesv2::config::retry::RetryConfig;
use aws_sdk_sesv2::config::timeout::TimeoutConfig;
use aws_sdk_sesv2::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_sesv2::error::{ProvideErrorMetadata as _, SdkError};
use aws_sdk_sesv2::primitives::Blob;
use aws_sdk_sesv2::types::{Destination, EmailContent, RawMessage};

/// Patience with the service.
const PATIENCE: Duration = Duration::from_secs(10);

/// The service, and from whom mails come.
#[derive(Clone, Debug)]
pub struct MailService {
    client: Client,
    /// The sender's address, whose domain the service knows.
    pub from: String,
}

/// What became of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Taken, under this id.
    Sent(String),
    /// It will never be taken; the service's code.
    Refused(String),
    /// Not taken now, for certain; the service's code.
    NotNow(String),
    /// Nobody knows.
    Unknown(String),
}

impl MailService {
    /// As the standard `AWS_*` variables say (`AWS_ENDPOINT_URL_SESV2` for a local one).
    pub async fn from_env(from: String) -> Self {
        let shared = aws_config::load_defaults(aws_config::BehaviorVersion::latest()).await;
        Self { client: Client::from_conf(once(aws_sdk_sesv2::config::Builder::from(&shared)).build()), from }
    }

    /// At a named address with given keys, where the environment is not asked.
    #[must_use]
    pub fn at(url: &str, region: &str, access_key_id: &str, secret_access_key: &str, from: &str) -> Self {
        let config = aws_sdk_sesv2::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new(region.to_owned()))
            .endpoint_url(url)
            .credentials_provider(Credentials::new(access_key_id, secret_access_key, None, None, "given"));
        Self { client: Client::from_conf(once(config).build()), from: from.to_owned() }
    }

    /// Gives a whole message (RFC 5322) to the service.
    pub async fn send(&self, to: &str, message: Vec<u8>) -> Outcome {
        let Ok(raw) = RawMessage::builder().data(Blob::new(message)).build() else {
            return Outcome::Refused("an empty message".into());
        };
        let request = self.client.send_email().from_email_address(&self.from);
        let request = request.destination(Destination::builder().to_addresses(to).build());
        match request.content(EmailContent::builder().raw(raw).build()).send().await {
            Ok(answer) => Outcome::Sent(answer.message_id.unwrap_or_default()),
            Err(SdkError::ServiceError(error)) => {
                refusal(error.err().code().unwrap_or("unknown"), error.raw().status().as_u16())
            }
            Err(SdkError::ConstructionFailure(_)) => Outcome::NotNow("the request could not be made".into()),
            Err(SdkError::DispatchFailure(failure)) if failure.is_io() || failure.is_user() => {
                Outcome::Unknown("the connection broke".into())
            }
            Err(_) => Outcome::Unknown("no answer".into()),
        }
    }
}

/// One attempt, and an end to waiting.
fn once(builder: aws_sdk_sesv2::config::Builder) -> aws_sdk_sesv2::config::Builder {
    let patience = TimeoutConfig::builder().connect_timeout(Duration::from_secs(2)).operation_timeout(PATIENCE).build();
    builder.retry_config(RetryConfig::disabled()).timeout_config(patience)
}

/// What a refusal means. A message that was looked at and rejected stays so; everything else about the account or the rate may
/// change; after an error of the service's own nobody knows whether it had taken the mail.
fn refusal(code: &str, status: u16) -> Outcome {
    match code {
        "MessageRejected" | "BadRequestException" => Outcome::Refused(code.to_owned()),
        _ if status >= 500 => Outcome::Unknown(code.to_owned()),
        _ => Outcome::NotNow(code.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_looked_at_is_refused_for_good() {
        let table = [
            ("MessageRejected", 400, Outcome::Refused("MessageRejected".into())),
            ("BadRequestException", 400, Outcome::Refused("BadRequestException".into())),
            ("TooManyRequestsException", 429, Outcome::NotNow("TooManyRequestsException".into())),
            ("SendingPausedException", 400, Outcome::NotNow("SendingPausedException".into())),
            ("MailFromDomainNotVerifiedException", 400, Outcome::NotNow("MailFromDomainNotVerifiedException".into())),
            ("InternalFailure", 500, Outcome::Unknown("InternalFailure".into())),
        ];
        for (code, status, outcome) in table {
            assert_eq!(refusal(code, status), outcome, "{code}");
        }
    }
}
